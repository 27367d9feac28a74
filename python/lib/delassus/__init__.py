"""Impact mechanics of rigid bodies that touch at several points at once.

.. code-block:: text

    M (u⁺ − u⁻) = W Λ + F        γ± = Wᵀu± + χ        γ⁺ − γ⁻ = G Λ + WᵀM⁻¹F        G = WᵀM⁻¹W

(M, W, u⁻) in, u⁺ and how far to trust it out:

>>> import delassus
>>> out = delassus.resolve(mass=[[16.0, 5.9088], [5.9088, 4.0]], velocity=[-0.1, -0.2], normal=[0.684, 1.0],
...                        tangent=[-1.8794, -1.7321], friction=0.5, restitution=0.5, law="newton")
>>> out.velocity.round(4)
array([-0.3346,  0.3631])
>>> out.certificate.energetic.holds
False

SI units. Errors of input are :class:`ProblemError`; not converging, no solution and several solutions are a status.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from delassus._errors import ProblemError
from delassus._native import VERSION as __version__

if TYPE_CHECKING:
    from delassus._angles import Angles, angles
    from delassus._animation import Page, animation
    from delassus._batch import Batch, resolve_batch
    from delassus._contact import ContactSolution, solve_contact
    from delassus._elements import Clutch, Contact, Joint
    from delassus._fragility import Fragility
    from delassus._incremental import Incremental
    from delassus._law import Law, laws
    from delassus._map import Boundary, Map, map
    from delassus._measured import Estimate, Fit, Score, Scores, fit, score
    from delassus._outcome import Alternative, Certificate, Check, Element, Elements, Energy, Outcome, Verdict
    from delassus._problem import Outcomes, Problem, resolve
    from delassus._reproduce import Studies, Study, StudyValue, reproduce, studies
    from delassus._run import Run, RunImpact, run
    from delassus._sweep import Sweep, sweep

__all__ = [
    "Alternative",
    "Angles",
    "Batch",
    "Boundary",
    "Certificate",
    "Check",
    "Clutch",
    "Contact",
    "ContactSolution",
    "Element",
    "Elements",
    "Energy",
    "Estimate",
    "Fit",
    "Fragility",
    "Incremental",
    "Joint",
    "Law",
    "Map",
    "Outcome",
    "Outcomes",
    "Page",
    "Problem",
    "ProblemError",
    "Run",
    "RunImpact",
    "Score",
    "Scores",
    "Studies",
    "Study",
    "StudyValue",
    "Sweep",
    "Verdict",
    "__version__",
    "angles",
    "animation",
    "fit",
    "laws",
    "map",
    "reproduce",
    "resolve",
    "resolve_batch",
    "run",
    "score",
    "solve_contact",
    "studies",
    "sweep",
]

# Numpy is loaded with the first name that needs it: the command `delassus` starts without.
_HOMES = {
    "_angles": ("Angles", "angles"),
    "_batch": ("Batch", "resolve_batch"),
    "_animation": ("Page", "animation"),
    "_contact": ("ContactSolution", "solve_contact"),
    "_elements": ("Clutch", "Contact", "Joint"),
    "_fragility": ("Fragility",),
    "_incremental": ("Incremental",),
    "_law": ("Law", "laws"),
    "_map": ("Boundary", "Map", "map"),
    "_measured": ("Estimate", "Fit", "Score", "Scores", "fit", "score"),
    "_outcome": ("Alternative", "Certificate", "Check", "Element", "Elements", "Energy", "Outcome", "Verdict"),
    "_problem": ("Outcomes", "Problem", "resolve"),
    "_reproduce": ("Studies", "Study", "StudyValue", "reproduce", "studies"),
    "_run": ("Run", "RunImpact", "run"),
    "_sweep": ("Sweep", "sweep"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'delassus' has no attribute {name!r}")
    found: object = getattr(import_module(f"delassus.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
