"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from delassus import _native

if TYPE_CHECKING:
    from delassus._outcome import Outcome


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}" if value == value else "–"
    return "–" if value is None else escape(str(value))


def text(words: str) -> str:
    """Words as HTML."""
    return escape(words)


def table(rows: Sequence[Mapping[str, object]], caption: str = "") -> str:
    """An HTML table of dictionaries with the same keys."""
    if not rows:
        return "<p>empty</p>"
    head = "".join(f"<th>{escape(key)}</th>" for key in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row.values()) + "</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def outcomes(found: Sequence[Outcome]) -> str:
    """A table of laws, one column for each, as the program prints it; what the answers mean; a figure of them."""
    answered = [outcome for outcome in found if outcome.status != "not-applicable"]
    rows: list[dict[str, object]] = []

    def line(label: str, values: Sequence[object]) -> None:
        rows.append({"": label, **{o.law: value for o, value in zip(answered, values, strict=True)}})

    if answered:
        first = answered[0]
        line("status", [o.status for o in answered])
        for i in range(len(first.velocity)):
            line(f"u⁺[{i}]", [float(o.velocity[i]) for o in answered])
        for k, element in enumerate(first.elements):
            for row in range(len(element.impulse)):
                label = f"{element.name}[{row}]" if len(element.impulse) > 1 else element.name
                line(f"{label}: γ⁺", [float(o.elements[k].gamma_plus[row]) for o in answered])
                line(f"{label}: Λ", [float(o.elements[k].impulse[row]) for o in answered])
            line(f"{element.name}: state", [o.elements[k].state for o in answered])
        line("T⁺ − T⁻ [J]", [o.energy.change for o in answered])
        line("verdict", [o.verdict.short for o in answered])
    others = [o for o in found if o.status == "not-applicable"]
    notes = [f"<b>{escape(o.law)}</b>: {escape(o.verdict.text)}" for o in answered]
    notes += [f"<b>{escape(o.law)}</b> is not applicable: {escape(o.reason or '')}" for o in others]
    natives = [native for native in (o._drawable() for o in found) if native is not None]
    if len(natives) == len(found):
        figure = _native.impact_svg(natives) or ""
    else:
        figure = "<p>No figure: the answer comes from a pickle, and computing it again gives another one here.</p>"
    return table(rows) + "".join(f"<p>{note}</p>" for note in notes) + figure
