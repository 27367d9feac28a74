#!/usr/bin/env bash
# The documentation as a site in target/site; a link that leads nowhere is an error.
# bash docs/site.sh [PROGRAM]: the program that draws the gallery, else the one that cargo builds.
set -euo pipefail
cd "$(dirname "$0")/.."
program="${1:-}"
if [ -z "$program" ]; then
  cargo build --release --locked
  program=target/release/delassus
fi
mkdocs="${MKDOCS:-target/site-environment/bin/mkdocs}"
if [ ! -x "$mkdocs" ]; then
  python3 -m venv target/site-environment
  target/site-environment/bin/pip install --quiet mkdocs==1.6.1
fi
python3 docs/site.py "$program" target/site-source
NO_MKDOCS_2_WARNING=1 "$mkdocs" build --strict --quiet
echo "target/site/index.html"
