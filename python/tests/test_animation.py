"""Pages that play motions."""

from __future__ import annotations

from pathlib import Path

import pytest

import delassus
from delassus import ProblemError
from support import SCENARIOS


def test_an_animation_is_a_page(tmp_path: Path) -> None:
    page = delassus.animation(SCENARIOS / "bouncing-ball.toml", law="newton")
    page.save(tmp_path / "ball.html")
    text = (tmp_path / "ball.html").read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org", "") and "Bouncing ball" in text
    assert "delassus.animation(&#39;bouncing-ball.toml&#39;, law=&#39;newton&#39;)" in text.replace("'", "&#39;")
    assert page._repr_html_().startswith("<iframe")


def test_laws_side_by_side() -> None:
    page = delassus.animation(SCENARIOS / "cradle.toml", law=["newton", delassus.Law("lzb", exponent=1.5)])
    assert "newton" in page.html and "lzb" in page.html


def test_errors() -> None:
    with pytest.raises(ProblemError):
        delassus.animation({"no": "scenario"})
    with pytest.raises(ProblemError) as caught:
        delassus.animation({"rocking_block": {"width": -1.0, "height": 1.0, "mass": 1.0}})
    assert "width" in caught.value.field and caught.value.value == "-1"
    with pytest.raises(ProblemError, match="did you mean"):
        delassus.animation(SCENARIOS / "cradle.toml", law="newtun")
