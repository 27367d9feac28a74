#!/usr/bin/env python3
"""Compares the law lzb with Siconos's MultipleImpact: error and time for a chain of Hertz balls.

n equal touching balls, equal contacts with exponent 3/2, e = 1, the first ball at 1 m/s. Needs only the
standard library. Without Siconos's headers and a C++ compiler it says so and does nothing. On Debian:

    apt-get install g++ libsiconos-kernel-dev
    cargo build --release -p delassus-cli
    python3 crates/delassus/benches/siconos_chain.py
"""

import argparse
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# Post-impact velocities of ten balls to seven digits; they guard the reference against a slip here.
TEN_BALLS = [
    -0.0710850, -0.0302738, -0.0158334, -0.0088857, -0.0051266,
    -0.0029860, -0.0017377, 0.0026720, 0.1473903, 0.9858659,
]  # fmt: skip
# Siconos's default thresholds, and none: zero energy and zero velocity are compared with absolute numbers.
THRESHOLDS = [("default", -1.0), ("0", 0.0)]


def main():
    args = arguments()
    include = Path(args.prefix) / "include" / "siconos"
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not (include / "kernel" / "MultipleImpact.hpp").is_file():
        print(f"Siconos is not installed (no kernel/MultipleImpact.hpp in {include}); nothing is compared.")
        return
    if compiler is None:
        print("No C++ compiler (g++, or CXX); the Siconos driver cannot be built and nothing is compared.")
        return
    program = find_delassus(args.delassus)

    machine(compiler, program)
    reference = delassus_velocity(program, args.balls, 1e-13)
    if args.balls == len(TEN_BALLS):
        gap = error(reference, TEN_BALLS)
        print(f"reference: lzb with tolerance 1e-13, {gap:.1e} from the seven-digit values")
        if gap > 1e-7:
            sys.exit("the reference is wrong: nothing is compared")
    ours = delassus_seconds(program, args.balls)
    default = delassus_velocity(program, args.balls, None)
    with tempfile.TemporaryDirectory() as scratch:
        driver = build(compiler, include, Path(scratch))
        print(f"\n{f'{args.balls} balls':24}{'threshold':>10}{'error':>10}{'time':>12}{'ratio':>9}")
        row("delassus lzb, default", "", error(default, reference), ours, ours)
        for name, threshold in THRESHOLDS:
            for step in args.steps:
                velocity, seconds = siconos(driver, args.balls, step, threshold, args.rounds)
                row(f"Siconos, step {step:g}", name, error(velocity, reference), seconds, ours)
    print("\nerror: largest difference of a post-impact velocity from the reference, m/s")
    print("time: one impact; delassus wall time, best of many; Siconos CPU time of MultipleImpact::compute,")
    print(f"      best of {args.rounds}, without building the model or starting the process")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--balls", type=int, choices=[3, 10], default=10, help="chains that `delassus bench` times")
    parser.add_argument("--steps", type=float, nargs="+", default=[1e-3, 2e-4, 1e-4, 5e-5, 1e-5], help="impulse steps")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each Siconos setting; the best counts")
    parser.add_argument("--delassus", help="the program; default target/release/delassus, then the search path")
    parser.add_argument("--prefix", default="/usr", help="where Siconos is installed")
    args = parser.parse_args()
    if min(args.steps) <= 0.0 or args.rounds < 1:
        parser.error("steps and rounds must be positive")
    return args


def find_delassus(given):
    built = ROOT / "target" / "release" / "delassus"
    program = given or (str(built) if built.is_file() else shutil.which("delassus"))
    if program is None:
        sys.exit("No delassus program: cargo build --release -p delassus-cli, or --delassus PATH")
    return program


def output(command, **options):
    """Standard output of a command; its failure ends the script with the command's own message."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except OSError as problem:
        sys.exit(f"{shlex.join(command)}: {problem}")
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def machine(compiler, program):
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        processor = names[0] if names else processor
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"machine:  {processor}, {os.cpu_count()} threads{load}, {platform.platform()}")
    print(f"delassus: {output([program, '--version']).strip()}")
    version = "unknown version"
    if shutil.which("dpkg-query"):
        query = ["dpkg-query", "-W", "-f", "${Version}", "libsiconos-kernel-dev"]
        asked = subprocess.run(query, capture_output=True, text=True)
        version = f"Debian {asked.stdout}" if asked.returncode == 0 else version
    print(f"Siconos:  {version}; driver built with {output([compiler, '--version']).splitlines()[0]}")


def shown(command):
    print(f"$ {shlex.join(map(str, command))}")
    return [str(word) for word in command]


def delassus_velocity(program, balls, tolerance):
    problem = {
        "mass": [1.0] * balls,
        "velocity": [1.0] + [0.0] * (balls - 1),
        "contact": [
            {"name": str(i), "normal": {str(i - 1): -1.0, str(i): 1.0}, "restitution": 1.0} for i in range(1, balls)
        ],
        "law": {"name": "lzb", "exponent": 1.5, "tolerance": tolerance},
    }
    outcome = json.loads(output([program, "impact", "-", "--json"], input=json.dumps(problem)))[0]
    if outcome["status"] != "solved":
        sys.exit(f"delassus: {outcome['status']}")
    return outcome["velocity"]


def delassus_seconds(program, balls):
    figures = json.loads(output(shown([program, "bench", "--json"])))
    wanted = f"lzb, chain of {balls} Hertz balls"
    for figure in figures:
        if figure["name"] == wanted and figure["per_second"] > 0.0:
            return figure["seconds"]
    sys.exit(f"`delassus bench` has no figure '{wanted}'")


def build(compiler, include, scratch):
    driver = scratch / "siconos_chain"
    folders = [include, include / "kernel", include / "numerics"]
    libraries = ["kernel", "numerics", "externals"]
    command = [compiler, "-std=c++17", "-O2", HERE / "siconos_chain.cpp", "-o", driver]
    command += [f"-I{folder}" for folder in folders]
    lib = include.parents[1] / "lib"
    command += [f"-L{lib}", f"-Wl,-rpath,{lib}"] + [f"-lsiconos_{library}" for library in libraries]
    output(shown(command))
    return driver


def siconos(driver, balls, step, threshold, rounds):
    command = [str(driver), str(balls), repr(step), repr(threshold)]
    runs = [json.loads(output(command)) for _ in range(rounds)]
    return runs[0]["velocity"], min(run["seconds"] for run in runs)


def error(velocity, reference):
    return max(abs(a - b) for a, b in zip(velocity, reference, strict=True))


def row(name, threshold, deviation, seconds, ours):
    print(f"{name:24}{threshold:>10}{deviation:>10.1e}{1e3 * seconds:>9.3f} ms{seconds / ours:>9.0f}", flush=True)


if __name__ == "__main__":
    main()
