"""Runs the commands of the guide, so that what it shows works.

python3 docs/examples.py PROGRAM

Standard library only. Every page gets a folder of its own with `scenarios/` and `examples/` in it; files that a page
shows under their name (`# rod.toml` as the first line) are written, and commands run in order. Grids, samples and
contacts are made few: what is tested is that the words work, not how long they take. Some files that only a reader has
are stood in for by ours; commands about others are told, not run.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(sys.argv[1]).resolve()
# Files that readers have under these names.
STAND_INS = {"block.toml": "rocking-block.toml", "east.AT2": "records/synthetic-east.AT2", "up.AT2": "records/synthetic-up.AT2"}
INPUT = re.compile(r"^[^-=*]*\.(toml|csv|json|dat|hdf5|AT2)$|^folder/$")


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and content."""
    return re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)


def commands(block: str) -> list[str]:
    """The commands of a block, continued lines joined, remarks left out."""
    lines = block.replace("\\\n", " ").splitlines()
    return [re.sub(r"\s+#\s.*$", "", line).strip() for line in lines if line.strip().startswith("delassus ")]


def fewer(command: str) -> str:
    """The same command with less to do."""
    command = re.sub(r"((?:=|:)[^\s:=]+:[^\s:=]+:)(\d+)(?=\s|'|$)", lambda m: m[1] + str(min(int(m[2]), 5)), command)
    command = re.sub(r"(--samples )\d+", r"\g<1>3", command)
    return re.sub(r"(--contacts )\d+", r"\g<1>300", command)


def missing(words: list[str], folder: Path) -> list[str]:
    """Files that a command reads and nobody has made."""
    made = {words[k + 1] for k, word in enumerate(words[:-1]) if word in ("--out", "--figure", ">")}
    return [w for w in words if INPUT.match(w) and w not in made and not (folder / w).exists()]


def page(file: Path) -> tuple[int, list[str], list[str]]:
    """Runs the commands of one page: how many, those left out, what failed."""
    ran, left, wrong = 0, [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scenarios").symlink_to(ROOT / "scenarios")
        (folder / "examples").symlink_to(ROOT / "crates" / "delassus-cli" / "examples")
        (folder / "bin").mkdir()
        (folder / "bin" / "delassus").symlink_to(PROGRAM)
        for name, file_of_ours in STAND_INS.items():
            (folder / name).symlink_to(ROOT / "scenarios" / file_of_ours)
        for language, content in blocks(file.read_text()):
            first = re.match(r"# (\S+\.(?:toml|csv|json))\b", content)
            if first and language in ("toml", "csv", "json", "text"):
                (folder / first[1]).unlink(missing_ok=True)
                (folder / first[1]).write_text(content.split("\n", 1)[1] if language == "csv" else content)
            for command in commands(content) if language == "sh" else []:
                if "…" in command or "$" in command or missing(shlex.split(command), folder):
                    left.append(command)
                    continue
                found = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
                done = subprocess.run(fewer(command), shell=True, cwd=folder, env=found, capture_output=True, text=True)
                ran += 1
                # Status 1: a result that the program itself marks, such as a law that does not answer.
                if done.returncode not in (0, 1):
                    wrong.append(f"{file.name}: {command}\n{done.stderr}")
    return ran, left, wrong


total, failures = 0, []
for guide in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
    count, skipped, failed = page(guide)
    total += count
    failures += failed
    for command in skipped:
        print(f"{guide.name}: needs files of yours: {command}")
print(f"{total} commands of the guide run")
for failure in failures:
    print(f"FAILED {failure}", file=sys.stderr)
sys.exit(1 if failures or total == 0 else 0)
