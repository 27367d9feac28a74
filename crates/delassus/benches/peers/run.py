#!/usr/bin/env python3
"""Steps a second of delassus, pymunk and Rapier on the same scenes, in one run.

    cargo build --release -p delassus-cli
    python3 crates/delassus/benches/peers/run.py [--scene NAME]… [--no-peers] [--later] [--tolerance T] [--program PATH]

pymunk comes from PyPI (a virtual environment in target/peers), Rapier from crates.io (rapier2d and rapier3d, built
there too); what does not install is left out with a remark. Processor time of one core, start of the process taken off
(a run of one step): other load on the machine hardly matters. delassus solves every step to the residual that is
printed; the peers iterate a fixed number of times, so the depth to which bodies sink into each other is shown beside.
--later adds the steps a second of as many steps again, when most of a pile is at rest; peers take as long for those as for the first.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
WORK = ROOT / "target" / "peers"
TOLERANCE = 1e-6


def jittered(seed):
    """Numbers from -1 to 1, the same on every machine."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (state >> 11) / 2**52 - 1.0


def lattice(columns, rows, layers, radius):
    """Centres on a grid, each shifted a little."""
    pitch, jitter, shift = 2.2 * radius, 0.08 * radius, jittered(1)
    places = []
    for layer in range(layers):
        for row in range(rows):
            for column in range(columns):
                flat = [(column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch, layer * pitch + 1.2 * radius]
                places.append([x + jitter * next(shift) for x in flat])
    return places


def box(dimension, columns, rows, layers, steps):
    radius = 0.05
    places = lattice(columns, rows, layers, radius)
    half = [columns * 1.12 * radius, rows * 1.12 * radius]
    if dimension == 2:
        places = [[x, z] for x, _, z in places]
        walls = [([0, 0], [0, 1]), ([-half[0], 0], [1, 0]), ([half[0], 0], [-1, 0])]
    else:
        walls = [([0, 0, 0], [0, 0, 1])]
        for k in range(2):
            for sign in (-1, 1):
                point, normal = [0, 0, 0], [0, 0, 0]
                point[k], normal[k] = sign * half[k], -sign
                walls.append((point, normal))
    return dict(dimension=dimension, radius=radius, places=places, walls=walls, friction=0.3, restitution=0.3, step=1e-3, steps=steps)


def column(count, steps):
    places = [[0, 0, 0.1 + 0.11 * k] for k in range(count)]
    walls = [([0, 0, 0], [0, 0, 1])]
    return dict(dimension=3, radius=0.05, places=places, walls=walls, friction=0.0, restitution=0.5, step=1e-3, steps=steps)


SCENES = {
    "column-100": lambda: column(100, 2000),
    "disks-100": lambda: box(2, 10, 1, 10, 2000),
    "disks-1000": lambda: box(2, 32, 1, 32, 2000),
    "spheres-100": lambda: box(3, 5, 5, 4, 2000),
    "spheres-1000": lambda: box(3, 10, 10, 10, 1000),
}
# What is wanted at least.
TARGETS = {"column-100": 10000, "disks-100": 17000, "disks-1000": 1000, "spheres-100": 3000, "spheres-1000": 100}


def toml(scene, steps, tolerance=TOLERANCE):
    """The scene as a scenario file."""
    plane = scene["dimension"] == 2
    lines = ["[world]", f"dimension = {scene['dimension']}", "[integrator]", 'scheme = "time-stepping"', f"step = {scene['step']}",
             "[solver]", f"tolerance = {tolerance}", "[until]", f"time = {steps * scene['step']}", "rest = false",
             "[material]", f"friction = {scene['friction']}", f"restitution = {scene['restitution']}", ""]
    for k, (point, normal) in enumerate(scene["walls"]):
        lines += ["[[wall]]", f'name = "wall{k + 1}"', f"point = {[float(x) for x in point]}", f"normal = {[float(x) for x in normal]}"]
    shape = "disk" if plane else "sphere"
    for k, place in enumerate(scene["places"]):
        lines += ["[[body]]", f'name = "b{k + 1}"', f"shape.{shape}.radius = {scene['radius']}", "mass = 1.0", f"position = {place}"]
    return "\n".join(lines) + "\n"


def plain(scene, steps):
    """The scene as the small program around Rapier reads it."""
    head = [scene["dimension"], steps, scene["step"], scene["radius"], scene["friction"], scene["restitution"]]
    rows = [head, [len(scene["walls"])]] + [p + n for p, n in scene["walls"]] + [[len(scene["places"])]] + scene["places"]
    return "\n".join(" ".join(repr(x) for x in row) for row in rows) + "\n"


def seconds(command, text, name):
    """Processor time of a process and what it prints; the input is a file."""
    path = WORK / name
    path.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*map(str, command), str(path)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip()[-500:])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def rate(command, make, scene, name):
    """Steps a second, the output of the whole run and the seconds it takes."""
    start, _ = seconds(command, make(scene, 1), name)
    whole, out = seconds(command, make(scene, scene["steps"]), name)
    return (scene["steps"] - 1) / max(whole - start, 1e-9), out, whole


def depth(scene, places):
    """How deep bodies are in each other or in walls, in units of the radius."""
    radius, deepest = scene["radius"], 0.0
    for point, normal in scene["walls"]:
        deepest = max([deepest] + [radius - sum(n * (x - p) for n, x, p in zip(normal, place, point)) for place in places])
    cells = {}
    for place in places:
        cells.setdefault(tuple(int(x // (2 * radius)) for x in place), []).append(place)
    for cell, own in cells.items():
        near = [[]]
        for x in cell:
            near = [n + [x + d] for n in near for d in (-1, 0, 1)]
        others = [p for n in near for p in cells.get(tuple(n), [])]
        for a in own:
            deepest = max([deepest] + [2 * radius - math.dist(a, b) for b in others if a is not b])
    return deepest / radius


def places(out):
    return [[float(x) for x in line.split()] for line in out.splitlines()]


def pymunk_python():
    """A Python with pymunk."""
    home = WORK / "venv"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
    subprocess.run([python, "-m", "pip", "-q", "install", "pymunk"], check=True, capture_output=True)
    return python


def rapier_program():
    """The program around Rapier."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(WORK / "rapier"))
    manifest = HERE / "rapier" / "Cargo.toml"
    subprocess.run(["cargo", "build", "-q", "--release", "--manifest-path", manifest], check=True, capture_output=True, env=environment)
    return WORK / "rapier" / "release" / "peer-rapier"


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--scene", action="append", choices=list(SCENES))
    reader.add_argument("--no-peers", action="store_true", help="delassus alone")
    reader.add_argument("--later", action="store_true", help="also the rate of as many steps again")
    reader.add_argument("--tolerance", type=float, default=TOLERANCE, help="residual of delassus' steps (default: %(default)s)")
    reader.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "delassus")
    given = reader.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    peers = {}
    if not given.no_peers:
        for name, make in [("pymunk", lambda: [pymunk_python(), HERE / "with_pymunk.py"]), ("rapier", lambda: [rapier_program()])]:
            try:
                peers[name] = make()
            except (subprocess.CalledProcessError, OSError) as error:
                print(f"{name} does not install here: {str(error)[-300:]}", file=sys.stderr)
    print(f"{'scene':14} {'program':9} {'steps/s':>9} {'ratio':>6} {'residual':>9} {'depth/r':>9}  wanted")
    for name in given.scene or SCENES:
        scene = SCENES[name]()
        command = [given.program, "run", "--json"]
        own, out, whole = rate(command, lambda *scene: toml(*scene, given.tolerance), scene, f"{name}.toml")
        run = json.loads(out)
        stats = run["stats"]
        sunk = stats.get("penetration") or 0.0
        wanted = f"{TARGETS[name]} {'yes' if own >= TARGETS[name] else 'NO'}"
        print(f"{name:14} {'delassus':9} {own:9.0f} {'':6} {stats['residual']:9.1e} {sunk:9.1e}  {wanted}  {run['status']}", flush=True)
        if given.later:
            twice, _ = seconds(command, toml(scene, 2 * scene["steps"], given.tolerance), f"{name}.toml")
            print(f"{'':14} {'… later':9} {scene['steps'] / max(twice - whole, 1e-9):9.0f}", flush=True)
        for peer, command in peers.items():
            if peer == "pymunk" and scene["dimension"] == 3:
                continue
            theirs, out, _ = rate(command, plain, scene, f"{name}.txt")
            print(f"{'':14} {peer:9} {theirs:9.0f} {own / theirs:6.2f} {'-':>9} {depth(scene, places(out)):9.1e}", flush=True)


if __name__ == "__main__":
    main()
