"""Motions that play in a notebook."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from delassus import _native, _source
from delassus._arrays import seconds, whole
from delassus._law import LawLike, as_law

_SAMPLES = 1000


@dataclass(frozen=True, eq=False)
class Page:
    """A self-contained page, shown in notebooks.

    Attributes:
        html: The text of the page.
        height: Height of its frame in a notebook [pixels].
    """

    html: str = field(repr=False)
    height: int = 720

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        frame = html.escape(self.html, quote=True)
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe srcdoc="{frame}" style="{style}" title="Animation of a motion"></iframe>'


def animation(
    source: str | os.PathLike[str] | Mapping[str, object],
    law: LawLike | Sequence[LawLike] | None = None,
    *,
    height: int = 720,
    iterations: int | None = None,
    time_limit: float | None = None,
) -> Page:
    """The motion of a scenario as a page that plays it: bodies, contacts, plots, impacts; several laws side by side.

    ``height`` in pixels; ``iterations`` and ``time_limit`` [s] bound the work of each motion.

    >>> import delassus
    >>> page = delassus.animation("[rocking_block]\\nwidth = 0.2\\nheight = 0.4\\nmass = 1.0\\nangle = 0.1\\n"
    ...                           "[material]\\nfriction = 0.5\\n[until]\\ntime = 0.2\\n", law="newton")
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """
    given = _source.read(source)
    listed: list[Any] = [None] if law is None else list(law) if isinstance(law, (list, tuple)) else [law]
    most, limit = whole(iterations, "iterations"), seconds(time_limit)
    motions = []
    for one in listed:
        chosen = None if one is None else as_law(one)._native
        motions.append(
            _native.simulate(
                given.text, given.file, given.folder, chosen, isinstance(one, str), _SAMPLES, True, most, limit, False
            )
        )
    name = Path(given.file).name or "scenario.toml"
    named = "" if law is None else f", law={law!r}"
    return Page(_native.motion_page(motions, f"delassus.animation({name!r}{named})", [(name, given.text)]), height)
