#!/usr/bin/env python3
"""Compares `delassus contact` with the friction solvers of Siconos: processor time on the same problems, in one run.

Needs only the standard library, the program, and Siconos's numerics library (libsiconos_numerics). Without the library it says
so and does nothing. On Debian 12 the whole package has unmet dependencies; the library alone has not:

    apt-get install libsiconos-numerics7
    cargo build --release -p delassus-cli
    python3 crates/delassus/benches/siconos_contact.py FOLDER_OR_FILE… [--limit 20] [--generate 1000]

Where it cannot be installed it can be unpacked: `apt-get download` it and what it needs, `dpkg -x` each, and name the
folder of libraries in LD_LIBRARY_PATH.

Both read the same file, by sparse blocks. Each solver runs in a process of its own with a limit of time, on one thread. The time
is that of the solution alone, the least of a few repetitions: processor time of Siconos, wall time of ours (the least
of several, on one thread, which comes near to processor time). An answer counts where the field's error, computed here
from r and u = G r + q, is below 1e-8.
"""

import argparse
import ctypes
import ctypes.util
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOLERANCE = 1e-8
# Solutions of one problem by one solver, of which the quickest counts; fewer where they take longer than two seconds together.
REPETITIONS = 20
# Name, number, most iterations.
SOLVERS = {
    2: [("NSGS", 400, 1_000_000), ("CPG", 402, 1_000_000)],
    3: [
        ("NSGS", 500, 1_000_000),
        ("NSN-AC", 504, 10_000),
        ("NSN-FB", 513, 10_000),
        ("ADMM", 523, 100_000),
        ("PROX", 502, 10_000),
    ],
}


class Problem(ctypes.Structure):
    """FrictionContactProblem."""

    _fields_ = [
        ("dimension", ctypes.c_int),
        ("contacts", ctypes.c_int),
        ("matrix", ctypes.c_void_p),
        ("q", ctypes.POINTER(ctypes.c_double)),
        ("mu", ctypes.POINTER(ctypes.c_double)),
    ]


class Options(ctypes.Structure):
    """The beginning of SolverOptions (4.4)."""

    _fields_ = [
        ("solver", ctypes.c_int),
        ("is_set", ctypes.c_bool),
        ("integers", ctypes.c_int),
        ("iparam", ctypes.POINTER(ctypes.c_int)),
        ("doubles", ctypes.c_int),
        ("dparam", ctypes.POINTER(ctypes.c_double)),
    ]


def main():
    args = arguments()
    if args.child:
        child(args)
        return
    library = args.library or ctypes.util.find_library("siconos_numerics") or in_path("libsiconos_numerics.so")
    if library is None:
        print("Siconos is not installed (no libsiconos_numerics); nothing is compared.")
        return
    program = args.delassus or find_program()
    with tempfile.TemporaryDirectory() as scratch:
        problems = prepare(program, args, Path(scratch))
        compare(program, library, problems, args)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help=".dat or .hdf5 problems, or folders of them")
    parser.add_argument("--generate", type=int, action="append", default=[], metavar="N", help="spheres, N contacts")
    parser.add_argument("--friction", default="0.3", help="friction of these [0.3]")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one solver on one problem [20]")
    parser.add_argument("--delassus", help="the program [target/release/delassus]")
    parser.add_argument("--library", help="libsiconos_numerics.so")
    parser.add_argument("--child", nargs=2, metavar=("FILE", "SOLVER"), help=argparse.SUPPRESS)
    return parser.parse_args()


def in_path(name):
    for folder in filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":")):
        for file in sorted(Path(folder).glob(name + "*")):
            return str(file)
    return None


def find_program():
    built = ROOT / "target" / "release" / "delassus"
    found = str(built) if built.is_file() else shutil.which("delassus")
    return found or sys.exit("no program: cargo build --release -p delassus-cli, or --delassus PATH")


def prepare(program, args, scratch):
    """All problems by sparse blocks, so that both read the same file."""
    problems = []
    files = [f for path in args.files for f in (sorted(path.iterdir()) if path.is_dir() else [path])]
    for k, file in enumerate(f for f in files if f.suffix in (".dat", ".hdf5")):
        out = scratch / f"{k}.dat"
        done = subprocess.run([program, "contact", file, "--out", out], capture_output=True, text=True)
        if done.returncode == 0 and first_number(out) in (2, 3):
            problems.append((file.name, out))
        else:
            print(f"left out: {file.name} ({(done.stderr.strip().splitlines() or ['not a friction problem'])[-1]})")
    for n in args.generate:
        out = scratch / f"spheres-{n}.dat"
        make = ["contact", "--generate", "spheres", "--contacts", str(n), "--friction", args.friction, "--out", out]
        subprocess.run([program, *make], check=True, capture_output=True)
        problems.append((f"spheres-{n}", out))
    return problems


def first_number(file):
    with open(file) as lines:
        words = (lines.readline() + lines.readline()).split()
    # A friction problem begins with its dimension on a line of its own, and the number of contacts.
    return int(words[0]) if len(words) == 2 and words[0] in ("2", "3") else None


def compare(program, library, problems, args):
    print(f"{'problem':40}{'contacts':>9}{'ours':>12}{'error':>9}  best of Siconos{'':>12}{'error':>9}{'ratio':>8}  others")
    ratios = []
    for name, file in problems:
        ours = delassus(program, file, args.limit)
        dimension = first_number(file)
        theirs = [(label, siconos(library, file, number, most, args.limit)) for label, number, most in SOLVERS[dimension]]
        good = [(run["seconds"], label, run) for label, run in theirs if run and run["error"] <= TOLERANCE]
        best = min(good, default=None, key=lambda run: run[0])
        others = ", ".join(f"{label} {words(run)}" for label, run in theirs if best is None or label != best[1])
        line = f"{name[-39:]:40}{ours['contacts']:>9}{show(ours['seconds']):>12}{ours['error']:>9.0e}"
        if best:
            ratio = ours["seconds"] / best[0]
            if ours["error"] <= TOLERANCE:
                ratios.append((ours["contacts"], ratio))
            line += f"  {best[1]:8}{show(best[0]):>19}{best[2]['error']:>9.0e}{ratio:>8.2g}"
        else:
            line += f"  {'none':8}{'':>36}"
        print(line + "  " + others, flush=True)
    for low, high, text in [(0, 20, "up to 20"), (21, math.inf, "more than 20")]:
        some = [ratio for contacts, ratio in ratios if low <= contacts <= high]
        if some:
            median = statistics.median(some)
            print(f"{text} contacts: {len(some)} problems that both solve, ratio ours/best {median:.2g} in the median, "
                  f"{max(some):.2g} at most")  # fmt: skip


def words(run):
    if run is None:
        return "–"
    return show(run["seconds"]) if run["error"] <= TOLERANCE else f"({run['error']:.0e})"


def show(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def delassus(program, file, limit):
    """The least time of a few solutions in one process, as for Siconos; long ones are made once."""
    def run(count):
        command = [program, "contact", *[file] * count, "--json", "--time-limit", str(limit)]
        answers = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        return answers if isinstance(answers, list) else [answers]

    answers = run(1)
    if answers[0]["seconds"] < 0.4:
        answers += run(REPETITIONS)
    answer = min(answers, key=lambda answer: answer["seconds"])
    error = answer["residual"] if answer["status"] == "solved" else math.inf
    return {"seconds": answer["seconds"], "error": error, "contacts": answer["contacts"]}


def siconos(library, file, number, most, limit):
    """The answer of one solver, or None where it ended by its limit of time or broke."""
    command = [sys.executable, __file__, "--library", library, "--child", str(file), f"{number}:{most}"]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        # Reading takes a while on large problems. (A limit set for the process would make its clock coarse.)
        while process.poll() is None:
            if processor_time(process.pid) > limit + 5:
                process.kill()
                process.wait()
                break
            time.sleep(0.02)
        out.seek(0)
        answers = [line for line in out if line.startswith("ANSWER ")]
    return json.loads(answers[-1][7:]) if answers else None


def processor_time(process):
    """Seconds that a process has used so far (Linux)."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def child(args):
    """Runs one solver of Siconos and prints time and error, repeatedly while that is quick."""
    file, solver = args.child
    number, most = map(int, solver.split(":"))
    numerics = ctypes.CDLL(args.library)
    numerics.frictionContact_new_from_filename.restype = ctypes.POINTER(Problem)
    numerics.solver_options_create.restype = ctypes.POINTER(Options)
    driver = numerics.fc2d_driver if number < 500 else numerics.fc3d_driver
    begin = time.monotonic()
    least = None
    for _ in range(REPETITIONS):
        # Some solvers change the problem, so it is read anew.
        problem = numerics.frictionContact_new_from_filename(file.encode())
        rows = problem.contents.dimension * problem.contents.contacts
        options = numerics.solver_options_create(number)
        options.contents.iparam[0], options.contents.dparam[0] = most, TOLERANCE
        r, u = (ctypes.c_double * rows)(), (ctypes.c_double * rows)()
        start = time.process_time()
        driver(problem, r, u, options)
        seconds = time.process_time() - start
        if least is None or seconds < least["seconds"]:
            # Not every solver leaves the velocities of its impulses, nor the problem as it was.
            problem = numerics.frictionContact_new_from_filename(file.encode())
            ctypes.memmove(u, problem.contents.q, ctypes.sizeof(u))
            numerics.NM_gemv(ctypes.c_double(1), ctypes.c_void_p(problem.contents.matrix), r, ctypes.c_double(1), u)
            least = {"seconds": seconds, "error": natural_error(problem.contents, r, u)}
            print("ANSWER " + json.dumps(least), flush=True)
        if time.monotonic() - begin > 2:
            break


def natural_error(problem, r, u):
    """The field's error: distance of r to the projection of r − (u + μ|u_T| n) onto Coulomb's cone."""
    d, total = problem.dimension, 0.0
    for i in range(problem.contacts):
        mu, x, v = problem.mu[i], r[i * d : i * d + d], u[i * d : i * d + d]
        z = [x[0] - v[0] - mu * math.hypot(*v[1:])] + [a - b for a, b in zip(x[1:], v[1:])]
        t = math.hypot(*z[1:])
        if mu * t <= -z[0]:
            p = [0.0] * d
        elif t <= mu * z[0]:
            p = z
        else:
            normal = (z[0] + mu * t) / (1 + mu * mu)
            p = [normal] + [mu * normal * c / t for c in z[1:]]
        total += sum((a - b) ** 2 for a, b in zip(x, p))
    rows = range(problem.contacts * d)
    size = max(math.sqrt(sum(v[k] ** 2 for k in rows)) for v in (problem.q, r, u))
    error = math.sqrt(total) / size if size > 0 else 0.0
    return error if error == error else math.inf


if __name__ == "__main__":
    main()
