"""Problems and scenarios as users give them: a file, a table, or the text of a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from delassus._arrays import json_text
from delassus._errors import ProblemError
from delassus._problem import Problem, read_text


@dataclass(frozen=True)
class Source:
    """The text of a problem or scenario, the name of its file, and the folder in which its records lie."""

    text: str
    file: str = ""
    folder: str = "."


def read(source: str | os.PathLike[str] | Mapping[str, object] | Problem) -> Source:
    """Text with a line break, an equals sign or a brace is the text of a file, other text its path."""
    if isinstance(source, Problem):
        return Source(json_text(source.to_dict()))
    if isinstance(source, Mapping):
        return Source(json_text(source))
    if isinstance(source, str) and any(mark in source for mark in "\n={"):
        return Source(source)
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        return Source(read_text(path), str(path), str(path.parent))
    kind = type(source).__name__
    raise ProblemError(f"source = {kind}: needs the path of a file, a table or the text of a file", "source", kind)
