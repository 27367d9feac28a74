"""What help() shows of the classes: every field and property in words."""

from __future__ import annotations

import dataclasses
import inspect
import pydoc
import re

import numpy as np
import pytest

import delassus

CLASSES = [getattr(delassus, name) for name in delassus.__all__ if inspect.isclass(getattr(delassus, name))]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_help_tells_every_field(kind: type) -> None:
    shown = pydoc.render_doc(kind, renderer=pydoc.plaintext)
    assert inspect.getdoc(kind)
    for name, found in vars(kind).items():
        if not name.startswith("_") and (isinstance(found, property) or callable(found)):
            assert inspect.getdoc(found), f"{kind.__name__}.{name} has no docstring"
    fields = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
    for name in [*fields, *(kind.__annotations__ if kind is delassus.ProblemError else ())]:
        # Contacts, joints and clutches have descriptors with words, others a section of their docstring.
        described = inspect.getdoc(vars(kind)[name]) if inspect.isdatadescriptor(vars(kind).get(name)) else None
        in_section = re.search(rf"^ *\|? +{name}: \S+ \S+", shown, re.MULTILINE)
        assert name.startswith("_") or in_section or (described and described in shown.replace("\n |      ", " ")), (
            f"help({kind.__name__}) does not tell {name}"
        )


def test_arrays_are_told_with_their_shape() -> None:
    """Of fields that are arrays the shape is known, in brackets."""
    out = delassus.Problem.kane().resolve("poisson")
    for holder in (out, delassus.Problem.kane()):
        for name, found in vars(type(holder)).items():
            if isinstance(found, property) and isinstance(getattr(holder, name), np.ndarray):
                assert re.search(r"\((n|m)(,|, [nm])\)", found.__doc__ or ""), name
    for kind in (delassus.Batch, delassus.Run, delassus.Map, delassus.Angles, delassus.Fragility, delassus.Incremental):
        section = (kind.__doc__ or "").split("Attributes:")[1]
        for field in dataclasses.fields(kind):
            if "Array" in str(field.type) and "dict" not in str(field.type):
                words = re.search(rf"^ +{field.name}: ((?:.*\n(?: {{12,}}.*\n)*))", section, re.MULTILINE)
                assert words and re.search(r"\([^)]+\)", words[1]), field.name
