"""Collects the pages of the site: the guide, and what is written from the sources themselves.

python3 docs/site.py PROGRAM FOLDER

Standard library only. Laws come from the documentation of their modules, keys from the schemas,
commands from the program's help, the Python reference from the package's sources, the gallery from the
scenarios, drawn by the program. A line `<!-- live: impact?example=kane -->` of a page becomes the laboratory, in that
state, within the page.
"""

import ast
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(sys.argv[1]).resolve()
OUT = Path(sys.argv[2]).resolve()


def run(*arguments: str) -> str:
    """What the program prints."""
    return subprocess.run([PROGRAM, *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def live(found: re.Match) -> str:
    """The laboratory within a page, where it is built."""
    address = f"laboratory/index.html#{found.group(1)}"
    if not (ROOT / "web" / "dist").is_dir():
        return ""
    return (f'<iframe class="live" src="{html.escape(address)}" title="The laboratory: change the numbers and see" loading="lazy">'
            f'</iframe>\n\n<a href="{html.escape(address)}">Open this in the laboratory</a>\n')


def guide() -> None:
    """The pages of docs/, with links to files elsewhere made to pages of the site or plain text."""
    pages = {"../scenarios/README.md": "gallery.md", "../scenarios/space/README.md": "gallery.md"}
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text()

        def link(found: re.Match) -> str:
            words, target = found.groups()
            if target in pages:
                return f"[{words}]({pages[target]})"
            return words if target.startswith("../") else found.group(0)

        text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", link, text)
        text = re.sub(r"^<!-- live: (\S+) -->$", live, text, flags=re.M)
        name = "index.md" if page.name == "README.md" else page.name
        if name == "index.md":
            text = start() + text.replace("# Guide", "## Guide", 1)
        (OUT / name).write_text(text)
    shutil.copytree(ROOT / "docs" / "figures", OUT / "figures")


def start() -> str:
    """The first page: the beginning of the README."""
    readme = (ROOT / "README.md").read_text()
    first = readme.split("## Two commands")[0].replace("](docs/", "](") + "\n"
    built = ROOT / "web" / "dist"
    if not built.is_dir():
        return first
    shutil.copytree(built, OUT / "laboratory")
    return first + "The [laboratory](laboratory/index.html) runs all of this in the page.\n\n"


def gallery() -> None:
    """Every scenario as an animation, with a page to play it."""
    folder = OUT / "gallery"
    folder.mkdir()
    text = ["# Gallery\n", "Every scenario of the folder `scenarios/`, simulated and drawn when this site was built. "]
    text.append("A picture leads to its player: curves, impulses, the log of impacts with their certificates.\n")
    plane, space = (sorted((ROOT / "scenarios" / folder).glob("*.toml")) for folder in ("", "space"))
    for file in [*plane, *space]:
        place = file.relative_to(ROOT / "scenarios").with_suffix("")
        name, source = str(place).replace("/", "-"), file.read_text()
        title = re.search(r'^name = "(.*)"', source, re.M)
        about = " ".join(line.lstrip("# ") for line in source.splitlines() if line.startswith("#"))
        about = about.split("  ")[0]
        for kind in ("gif", "html"):
            # A motion that ends early, which some laws make, is still a motion to look at.
            subprocess.run([PROGRAM, "run", str(file), "--out", str(folder / f"{name}.{kind}"), "--force"],
                           cwd=ROOT, check=False, capture_output=True)
        heading = title.group(1) if title else place.name.replace("-", " ")
        if file.parent.name == "space" and "in space" not in heading:
            heading += ", in space"
        text.append(f"## {heading[0].upper()}{heading[1:]}\n\n{about}\n")
        text.append(f'<a href="gallery/{name}.html"><img src="gallery/{name}.gif" alt="Animation: {html.escape(heading)}" loading="lazy"></a>\n')
        text.append(f"```sh\ndelassus run scenarios/{place}.toml --out {place.name}.html\n```\n")
        if (ROOT / "web" / "dist").is_dir():
            text.append(f'<a href="laboratory/index.html#motion?example={place}">Change it in the laboratory</a>\n')
    (OUT / "gallery.md").write_text("\n".join(text))


def laws() -> None:
    """Every law: what its type says of itself, or the module of its folder where that says more."""
    documented: dict[str, str] = {}
    for file in sorted((ROOT / "crates" / "delassus" / "src" / "law").rglob("*.rs")):
        source = file.read_text()
        for lines, name in re.findall(r"((?:^///.*\n)+)(?:#\[.*\n)*pub struct (\w+)", source, re.M):
            documented[name.lower()] = re.sub(r"^/// ?", "", lines, flags=re.M)
        if file.name == "mod.rs" and file.parent.name != "law":
            lines = "".join(re.findall(r"^//!.*\n", source, re.M))
            folder = file.parent.name
            documented[folder] = max(documented.get(folder, ""), re.sub(r"^//! ?", "", lines, flags=re.M), key=len)
    text = ["# Laws\n", "What each law assumes, its equations, and where it fails, as the library documents it.\n"]
    for name in json.loads(run("schema"))["$defs"]["law_name"]["enum"]:
        body = re.sub(r"\[`([^`\]]*)`\](\([^)]*\))?", r"`\1`", documented[name.replace("-", "")])
        body = re.sub(r"^(#+) ", r"##\1 ", body, flags=re.M)
        if "```text" not in body or "Known failures" not in body:
            raise SystemExit(f"the law {name} is documented without its equations or its known failures")
        text.append(f"## {name}\n\n{body}\n")
    (OUT / "laws.md").write_text("\n".join(text))


def keys(name: str, title: str, *arguments: str) -> None:
    """The keys of files, as their schema has them."""
    schema = json.loads(run("schema", *arguments))
    rows: list[tuple[str, str, str]] = []
    walk(schema, schema, "", rows, ())
    text = [f"# {title}\n", "| key | kind | meaning |", "|---|---|---|"]
    cell = lambda words: words.replace("|", "\\|").replace("\n", " ")
    text += [f"| `{key}` | {cell(kind)} | {cell(meaning)} |" for key, kind, meaning in rows]
    (OUT / name).write_text("\n".join(text) + "\n")


def walk(schema: dict, part: dict, path: str, rows: list, seen: tuple) -> None:
    """Lists the properties of a part of a schema, from the outside in."""
    if "$ref" in part:
        if part["$ref"] in seen:
            return
        seen = (*seen, part["$ref"])
        target = schema
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        walk(schema, {**target, **{k: v for k, v in part.items() if k != "$ref"}}, path, rows, seen)
        return
    for key, inner in part.get("properties", {}).items():
        here = f"{path}.{key}" if path else key
        kind = inner.get("type", "")
        kind = " or ".join(k for k in kind if k != "null") if isinstance(kind, list) else kind
        if "enum" in inner:
            kind = ", ".join(str(word) for word in inner["enum"] if word is not None)
        row = (here, kind, inner.get("description", ""))
        if row not in rows and (kind not in ("object", "array", "") or row[2]):
            rows.append(row)
        walk(schema, inner, here, rows, seen)
    if isinstance(part.get("items"), dict):
        walk(schema, part["items"], f"{path}[]", rows, seen)
    for choice in ("anyOf", "oneOf", "allOf"):
        for inner in part.get(choice, []):
            walk(schema, inner, path, rows, seen)


def commands() -> None:
    """The help of every command."""
    text = ["# Commands\n", "As the program tells of itself.\n"]
    for name in re.findall(r"^  ([a-z]+) ", run("--help"), re.M):
        if name != "help":
            text.append(f"## delassus {name}\n\n```text\n{run(name, '--help').rstrip()}\n```\n")
    (OUT / "commands.md").write_text("\n".join(text))


def python() -> None:
    """The public names of the Python package with what they say of themselves."""
    package = ROOT / "python" / "lib" / "delassus"
    homes = next(node.value for node in ast.parse((package / "__init__.py").read_text()).body
                 if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES")
    text = ["# Python reference\n", "Every public name of the package, from its sources. [The guide](python.md) shows them in use.\n"]
    kinds = (ast.FunctionDef, ast.ClassDef)
    entries = []
    for home, names in ast.literal_eval(homes).items():
        nodes = {n.name: n for n in ast.parse((package / f"{home}.py").read_text()).body if isinstance(n, kinds)}
        entries += [nodes[name] for name in names if name in nodes]
    for node in sorted(entries, key=lambda n: (isinstance(n, ast.ClassDef), n.name.lower())):
        text.append(f"## {node.name}\n")
        text.append(documented(node))
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    text.append(f"### {node.name}.{inner.name}\n")
                    text.append(documented(inner))
    (OUT / "python-reference.md").write_text("\n".join(text))


def documented(node: ast.FunctionDef | ast.ClassDef) -> str:
    """Signature and docstring; examples in it as code."""
    out = ""
    if isinstance(node, ast.FunctionDef):
        property_ = any(isinstance(d, ast.Name) and d.id in ("property", "cached_property") for d in node.decorator_list)
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        arguments = "" if property_ else f"({ast.unparse(node.args)})"
        out += f"```python\n{node.name}{arguments}{returns}\n```\n\n"
    doc = ast.get_docstring(node) or ""
    # A run of lines that a prompt begins is an example, up to an empty line.
    return out + re.sub(r"(^ *>>> .*\n(?:.+\n?)*)", lambda m: f"\n```pycon\n{m[1].rstrip()}\n```\n", doc, flags=re.M) + "\n"


def papers() -> None:
    """What the studies of papers found."""
    text = ["# Papers\n", "Figures and tables of four papers, computed and compared when this site was built ",
            "(`delassus reproduce`). [All values and figures](studies/index.html).\n", "| study | what | verdict |", "|---|---|---|"]
    run("reproduce", "--out", str(OUT / "studies"))
    for study in json.loads(run("reproduce", "--json")):
        text.append(f"| {study['id']} | {study['title']} | {study['verdict']} |")
    (OUT / "papers.md").write_text("\n".join(text) + "\n")


STYLE = """.wy-nav-content { max-width: 60rem } .wy-table-responsive table td { white-space: normal }
.live { width: 100%; height: 46rem; border: 1px solid #e1e4e5; border-radius: 6px; background: #fff }
.rst-content img { max-width: 100%; border: 1px solid #e1e4e5 } .rst-content pre { white-space: pre; overflow-x: auto }
"""

shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
(OUT / "site.css").write_text(STYLE)
guide()
gallery()
laws()
keys("problem-keys.md", "Keys of problem files")
keys("scenario-keys.md", "Keys of scenario files", "scenario")
commands()
python()
papers()
