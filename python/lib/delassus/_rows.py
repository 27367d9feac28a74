"""Rows of sweeps as files: comma-separated values, one Parquet file, or a Parquet data set with a file for each chunk."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from delassus._errors import ProblemError

Row = Sequence[float | str]

# Begins a file of rows that are not all, before what stands for the sweep.
_MAGIC = "# rows so far of the delassus sweep "

# Columns of words, also where no case has an answer.
_WORDS = ("status", "certificate", "verdict", "state", "theorem", "end", "overturned", "overturning", "law")


def check(path: str | os.PathLike[str]) -> Path:
    """The path, if rows can be written to it."""
    found = Path(path)
    if found.suffix not in (".csv", ".parquet", ""):
        message = f"out = {str(found)!r}: needs a name that ends in .csv or .parquet, or a folder for a Parquet data set"
        raise ProblemError(message, "out", str(found))
    if found.is_dir() and (found.suffix or any(found.iterdir())):
        raise ProblemError(f"out = {str(found)!r}: is a folder that is not empty", "out", str(found), "duplicate")
    if not found.parent.is_dir():
        raise ProblemError(f"out = {str(found)!r}: there is no folder {found.parent}", "out", str(found), "unknown")
    if found.suffix != ".csv":
        # Known before the work rather than after it.
        try:
            import_module("pyarrow.parquet")
        except ImportError:
            raise ProblemError(f"out = {str(found)!r}: Parquet needs pyarrow", "out", str(found)) from None
    return found


class Kept:
    """Rows of a sweep that is not finished, as text beside their place: ``NAME.unfinished.csv``.

    Rows are in the file as they come, in any order, so that a sweep which is killed loses those under way and no others.
    The first line tells to which sweep they belong. The file goes away with :meth:`drop`, once the rows are where they belong.
    """

    def __init__(self, path: str | os.PathLike[str], sweep: str, head: str, force: bool) -> None:
        """Reads what an earlier attempt at this sweep left; ``sweep`` stands for everything that rows depend on."""
        final = check(path)
        self.path = final.with_name(final.name.removesuffix(".csv") + ".unfinished.csv")
        self._begin = f"{_MAGIC}{sweep}\n{head}".encode()
        self.lines: dict[int, str] = {}
        """Lines of the cases that are there, each with its end."""
        try:
            left = self.path.read_bytes()
        except FileNotFoundError:
            left = b""
        if left.startswith(self._begin):
            self._read(left[len(self._begin) :])
        elif not self._begin.startswith(left) and not (force and left.startswith(_MAGIC.encode())):
            if not left.startswith(_MAGIC.encode()):
                words = "is in the way, and no file of delassus; move it"
            else:
                count = max(left.count(b"\n") - 2, 0)
                words = (f"holds {count} finished rows of another sweep, or of another build of delassus; give another name, "
                         "or force=True to discard them")
            raise ProblemError(f"out = {str(final)!r}: {self.path.name} {words}", "out", str(self.path), "duplicate")

    def _read(self, text: bytes) -> None:
        """Takes over rows up to the first that is not whole."""
        end = 0
        for line in text.splitlines(keepends=True):
            case = line.partition(b",")[0]
            if not line.endswith(b"\n") or not case.isdigit():
                break
            self.lines.setdefault(int(case), line.decode())
            end += len(line)
        if self.lines:
            with open(self.path, "r+b") as file:
                file.truncate(len(self._begin) + end)
            self._begin = b""

    def add(self, lines: Sequence[str]) -> None:
        """Lines of some cases."""
        # The first rows take the place of what is of no use.
        with open(self.path, "wb" if self._begin else "ab") as file:
            file.write(self._begin + "".join(lines).encode())
        self._begin = b""

    def drop(self) -> None:
        """Removes the file."""
        if not self._begin:
            self.path.unlink(missing_ok=True)


def save(
    path: str | os.PathLike[str], columns: Sequence[str], rows: Sequence[Row], csv: str, chunks: Sequence[tuple[int, int]]
) -> None:
    """Writes the rows, whole or not at all."""
    final = check(path)
    place = Path(tempfile.mkdtemp(dir=final.parent, prefix=f".{final.name}."))
    try:
        if final.suffix == ".csv":
            (place / "rows").write_bytes(csv.encode())
            os.replace(place / "rows", final)
            return
        pq: Any = import_module("pyarrow.parquet")
        table = arrow(columns, rows)
        if final.suffix == ".parquet":
            pq.write_table(table, place / "rows")
            os.replace(place / "rows", final)
            return
        folder = place / "set"
        folder.mkdir()
        for k, (first, last) in enumerate(chunks):
            pq.write_table(table.slice(first, last - first), folder / f"part-{k:05}.parquet")
        if final.is_dir():
            final.rmdir()
        os.replace(folder, final)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def arrow(columns: Sequence[str], rows: Sequence[Row]) -> Any:
    """The rows as a table of pyarrow: cases are whole numbers, other columns numbers or words, null for none."""
    pa: Any = import_module("pyarrow")
    found: dict[str, Any] = {}
    for k, name in enumerate(columns):
        entries = [row[k] for row in rows]
        # A measure in words has no word, a number, where there is no answer.
        words = name in _WORDS or any(isinstance(entry, str) for entry in entries)
        if name == "case":
            found[name] = pa.array([int(entry) for entry in entries], pa.int64())
        elif words:
            found[name] = pa.array([entry if isinstance(entry, str) else None for entry in entries], pa.string())
        else:
            found[name] = pa.array(entries, pa.float64(), from_pandas=True)
    return pa.table(found)
