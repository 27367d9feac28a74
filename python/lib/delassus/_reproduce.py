"""The figures and tables of papers, computed and compared."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from delassus import _html, _native
from delassus._arrays import whole
from delassus._errors import ProblemError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class StudyValue:
    """One comparison with a paper."""

    quantity: str
    paper: float | str | None
    """What the paper states; None where it states nothing."""
    independent: float | str | None
    """What an independent computation gives, where there is one instead of the paper."""
    ours: float | str | None
    tolerance: float | None
    """Largest absolute difference that agrees; None for words."""
    verdict: str
    """``agrees``, ``corrected`` (a misprint, and the corrected form holds) or ``differs``."""
    why: str | None
    """The correction, or the reason of the difference."""


@dataclass(frozen=True)
class Study:
    """One figure, table or example of a paper, computed."""

    id: str
    """``<paper>/fig-N``, ``<paper>/table-N`` or ``<paper>/section-N``."""
    title: str
    verdict: str
    """The worst of its values."""
    values: list[StudyValue] = field(repr=False)
    tables: dict[str, tuple[list[str], list[list[Any]]]] = field(repr=False)
    """Numbers behind the figures: columns and rows by the name of the part, which is empty for the only one."""

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
        return _html.table(rows, f"{self.id}: {self.title} ({self.verdict})")


def studies() -> dict[str, str]:
    """Ids and titles of the studies that :func:`reproduce` computes.

    >>> import delassus
    >>> "glocker-2014/table-1" in delassus.studies() or len(delassus.studies()) > 20
    True
    """
    return dict(_native.studies())


def reproduce(*ids: str, threads: int | None = None) -> list[Study]:
    """Computes studies of papers and compares them with what the papers print.

    ``ids``: studies or whole papers, all where there is none.
    """
    found = json.loads(_native.reproduce_studies([str(one) for one in ids], whole(threads, "threads")))
    return [
        Study(
            id=study["id"],
            title=study["title"],
            verdict=study["verdict"],
            values=[StudyValue(**value) for value in study["values"]],
            tables={table["part"]: (table["columns"], table["rows"]) for table in study["tables"]},
        )
        for study in found
    ]
