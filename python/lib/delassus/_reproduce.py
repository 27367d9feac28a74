"""The figures and tables of papers, computed and compared."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from delassus import _html, _native, _plot
from delassus._arrays import whole
from delassus._errors import ProblemError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class StudyValue:
    """One comparison with a paper.

    Attributes:
        quantity: What is compared.
        paper: What the paper states, in the same unit; None where it states nothing.
        independent: What an independent computation gives, where there is one instead of the paper.
        ours: What we compute, a number in the unit that ``quantity`` names, or a word.
        tolerance: Largest absolute difference that agrees, in the same unit; None for words.
        verdict: ``agrees``, ``corrected`` (a misprint, and the corrected form holds) or ``differs``.
        why: The correction, or the reason of the difference.
    """

    quantity: str
    paper: float | str | None
    independent: float | str | None
    ours: float | str | None
    tolerance: float | None
    verdict: str
    why: str | None


@dataclass(frozen=True)
class Study:
    """One figure, table or example of a paper, computed.

    Attributes:
        id: ``<paper>/fig-N``, ``<paper>/table-N`` or ``<paper>/section-N``.
        title: What it is about.
        verdict: The worst verdict of its values: ``agrees``, ``corrected`` or ``differs``.
        values: The comparisons, each a :class:`StudyValue`.
        tables: Numbers behind the figures: columns and rows by the name of the part, which is empty for the only one.
        figures: The figures as the program draws them, texts of SVG by the name of the part, which is empty for the
            only one.
        captions: What the figures show and how to read them, by the same names.
        notes: Remarks for the reader.
    """

    id: str
    title: str
    verdict: str
    values: list[StudyValue] = field(repr=False)
    tables: dict[str, tuple[list[str], list[list[Any]]]] = field(repr=False)
    figures: dict[str, str] = field(repr=False)
    captions: dict[str, str] = field(repr=False)
    notes: list[str] = field(repr=False)
    _drawn: dict[str, tuple[int, list[Any]]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def svg(self) -> str | None:
        """The first figure, the text of an SVG; None where there is none."""
        return next(iter(self.figures.values()), None)

    def plot(self, part: str | None = None, panel: int | None = None, ax: Axes | None = None) -> Axes:
        """Draws a figure, by default the first, with all its panels or only one of them, the first is 0; gives the axes of
        the first panel that is drawn (needs matplotlib). Axes that are given take one panel, by default the first.

        >>> import delassus
        >>> (study,) = delassus.reproduce("glocker-2014/fig-2")
        >>> len(study.plot().lines)
        4
        """
        if part is None and self._drawn:
            part = next(iter(self._drawn))
        if part not in self._drawn:
            known = ", ".join(repr(name) for name in self._drawn)
            raise ProblemError(f"part = {part!r}: there are {known or 'none'}", "part", repr(part), "unknown")
        wide, panels = self._drawn[part]
        if panel is not None and not 0 <= panel < len(panels):
            message = f"panel = {panel!r}: the figure has {len(panels)} panels, the first is 0"
            raise ProblemError(message, "panel", repr(panel), "out-of-range")
        if ax is not None or panel is not None or len(panels) == 1:
            return _draw(_plot.axes(ax), panels[panel or 0])
        import matplotlib.pyplot as plt

        high = -(-len(panels) // wide)
        with _plot.style():
            _, grid = plt.subplots(high, wide, squeeze=False, layout="constrained", figsize=(4.0 * wide, 3.2 * high))
        for spare in grid.flat[len(panels) :]:
            spare.set_visible(False)
        drawn = [_draw(place, one) for place, one in zip(grid.flat, panels, strict=False)]
        return drawn[0]

    def to_pandas(self, part: str | None = None) -> pd.DataFrame:
        """The table of a part, by default the first (needs pandas)."""
        import pandas as pd

        if part is None and self.tables:
            part = next(iter(self.tables))
        if part not in self.tables:
            known = ", ".join(repr(name) for name in self.tables)
            raise ProblemError(f"part = {part!r}: there are {known or 'none'}", "part", repr(part), "unknown")
        columns, rows = self.tables[part]
        return pd.DataFrame(rows, columns=columns)

    def _repr_html_(self) -> str:
        rows: list[dict[str, object]] = [
            {
                "quantity": v.quantity,
                "paper": "" if v.paper is None else v.paper,
                "independent": "" if v.independent is None else v.independent,
                "ours": v.ours,
                "verdict": v.verdict,
                "why": v.why or "",
            }
            for v in self.values
        ]
        shown = "".join(
            f"<figure>{svg}<figcaption>{_html.text(self.captions.get(part, ''))}</figcaption></figure>"
            for part, svg in self.figures.items()
        )
        told = "".join(f"<p>{_html.text(note)}</p>" for note in self.notes)
        return _html.table(rows, f"{self.id}: {self.title} ({self.verdict})") + told + shown


class Studies(list[Study]):
    """Studies of papers, computed; in a notebook a table of them, then their values and figures.

    >>> import delassus
    >>> found = delassus.reproduce("glocker-2014/fig-2", "glocker-2014/fig-3")
    >>> list(found.figures)
    ['glocker-2014/fig-2', 'glocker-2014/fig-3']
    """

    @property
    def figures(self) -> dict[str, str]:
        """All figures, texts of SVG by the id of the study, with the name of the part behind it where there are several."""
        return {
            f"{study.id}/{part}" if part else study.id: svg for study in self for part, svg in study.figures.items()
        }

    def plot(self) -> list[Axes]:
        """Draws the first figure of each study that has one; gives the axes of their first panels (needs matplotlib)."""
        return [study.plot() for study in self if study.figures]

    def to_pandas(self) -> pd.DataFrame:
        """A table with a line for each comparison (needs pandas)."""
        import pandas as pd

        columns = ["study", "quantity", "paper", "independent", "ours", "tolerance", "verdict", "why"]
        lines = [{"study": study.id, **value.__dict__} for study in self for value in study.values]
        return pd.DataFrame(lines, columns=columns)

    def _repr_html_(self) -> str:
        rows: list[dict[str, object]] = [
            {"study": study.id, "title": study.title, "values": len(study.values), "verdict": study.verdict} for study in self
        ]
        return _html.table(rows, f"{len(self)} studies") + "".join(study._repr_html_() for study in self)


# Raised and lowered characters of labels.
_SHIFTED = re.compile(r"([\^_])\{([^}]*)\}")


def _label(words: str) -> str:
    """A label as matplotlib writes it."""
    return _SHIFTED.sub(lambda found: f"${found[1]}{{\\mathrm{{{found[2].replace(' ', chr(92) + ' ')}}}}}$", words)


def _points(values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Points (k, 2); those that are none interrupt a curve."""
    return np.array(values, dtype=np.float64).reshape(-1, 2)


def _draw(ax: Axes, panel: dict[str, Any]) -> Axes:
    """Draws a panel: curves, areas, cells, lines across and words."""
    count = 0
    handles: list[Any] = []
    for layer in panel["layers"]:
        kind, label = layer["kind"], _label(layer.get("label", ""))
        named: dict[str, Any] = {"label": label} if label else {}
        if kind == "series":
            look = _plot.series(count)
            colour = layer["color"] or look["color"]
            points = _points(layer["points"])
            if layer["line"]:
                ax.plot(points[:, 0], points[:, 1], color=colour, linestyle=look["linestyle"], **named)
            else:
                marker = _plot.MARKERS[count % len(_plot.MARKERS)]
                ax.plot(points[:, 0], points[:, 1], linestyle="", marker=marker, markersize=4, color=colour, **named)
            count += 1
        elif kind == "area":
            points = _points(layer["points"])
            ax.fill(points[:, 0], points[:, 1], color=layer["color"], alpha=layer["opacity"], linewidth=0, **named)
        elif kind == "regions":
            handles += _regions(ax, layer)
        elif kind == "field":
            low, high = layer["range"] or (None, None)
            mesh = ax.pcolormesh(*_cells(layer), cmap="viridis", vmin=low, vmax=high, rasterized=True)
            ax.figure.colorbar(mesh, ax=ax, label=label)
        elif kind == "reference":
            line = ax.axhline if layer["horizontal"] else ax.axvline
            line(layer["value"], color=layer["color"], linewidth=0.8, linestyle=":", **named)
        elif kind == "text":
            x, y = layer["at"]
            ax.text(x, y, _label(layer["text"]), fontsize="small", ha="center", va="center")
        elif kind == "arrow":
            arrow = {"arrowstyle": "->", "color": layer["color"]}
            ax.annotate("", xytext=tuple(layer["from"]), xy=tuple(layer["to"]), arrowprops=arrow)
    for axis, scale, limits, write in (
        (panel["x"], ax.set_xscale, ax.set_xlim, ax.set_xlabel),
        (panel["y"], ax.set_yscale, ax.set_ylim, ax.set_ylabel),
    ):
        write(_label(axis["label"]))
        if axis["log"]:
            scale("log")
        if axis["range"] is not None:
            limits(*axis["range"])
    ax.set_title(_label(panel["title"]))
    handles += ax.get_legend_handles_labels()[0]
    if handles:
        # Beside the axes, unless a bar of colours is there.
        bar = any(layer["kind"] == "field" for layer in panel["layers"])
        place: dict[str, Any] = {"loc": "upper right"} if bar else {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
        ax.legend(handles=handles, frameon=False, fontsize="small", **place)
    return ax


def _cells(layer: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Edges and values of the cells of a map."""
    x, y = (np.array(layer["cells"][name], dtype=np.float64) for name in ("x", "y"))
    return x, y, np.array(layer["values"], dtype=np.float64).reshape(len(y) - 1, len(x) - 1)


def _regions(ax: Axes, layer: dict[str, Any]) -> list[Any]:
    """Draws coloured cells; gives what stands for them in the legend."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    x, y, values = _cells(layer)
    colours, names = layer["colors"], layer["names"]
    values = np.where(values < len(names), values, np.nan)
    ax.pcolormesh(x, y, values, cmap=ListedColormap(colours), vmin=-0.5, vmax=len(names) - 0.5, rasterized=True)
    return [Patch(facecolor=c, label=_label(name)) for c, name in zip(colours, names, strict=True)]


def studies() -> dict[str, str]:
    """Ids and titles of the studies that :func:`reproduce` computes.

    >>> import delassus
    >>> "glocker-2014/table-1" in delassus.studies() or len(delassus.studies()) > 20
    True
    """
    return dict(_native.studies())


def reproduce(*ids: str, threads: int | None = None) -> Studies:
    """Computes studies of papers and compares them with what the papers print.

    ``ids``: studies or whole papers, all where there is none.

    >>> import delassus
    >>> (study,) = delassus.reproduce("glocker-2014/fig-2")
    >>> study.verdict, study.values[0].verdict, study.svg.startswith("<svg")
    ('agrees', 'agrees', True)
    """
    found = json.loads(_native.reproduce_studies([str(one) for one in ids], whole(threads, "threads")))
    return Studies(
        Study(
            id=study["id"],
            title=study["title"],
            verdict=study["verdict"],
            values=[StudyValue(**value) for value in study["values"]],
            tables={table["part"]: (table["columns"], table["rows"]) for table in study["tables"]},
            figures={drawn["part"]: drawn["svg"] for drawn in study["figures"]},
            captions={drawn["part"]: drawn["caption"] for drawn in study["figures"]},
            notes=study["notes"],
            _drawn={drawn["part"]: (drawn["columns"], drawn["panels"]) for drawn in study["figures"]},
        )
        for study in found
    )
