#!/usr/bin/env bash
# Builds the wheel, installs it into a fresh environment and runs all tests on it.
#   bash python/test.sh             quick build
#   bash python/test.sh --release   the wheel as users get it
# DELASSUS_PYTHON names another interpreter (3.10 or newer) than python3.
set -euo pipefail
cd "$(dirname "$0")"
python="${DELASSUS_PYTHON:-python3}"
export PIP_DISABLE_PIP_VERSION_CHECK=1
# What the tests of the workspace have compiled is used again.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../target}"

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo "skipped: the tests of the Python package need Python 3.10 or newer with venv; $python is none"
  exit 0
fi
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
"$python" -m venv "$place/venv"
bin="$place/venv/bin"
if ! "$bin/pip" install -q "maturin>=1.9.4,<2" > "$place/pip.txt" 2>&1; then
  tail -n 3 "$place/pip.txt"
  echo "skipped: the tests of the Python package need packages from PyPI, which cannot be installed here"
  exit 0
fi
"$bin/maturin" build --quiet --out "$place/wheels" --interpreter "$bin/python" "$@"
wheel="$(echo "$place"/wheels/*.whl)"
echo "wheel: $(basename "$wheel"), $(stat -c %s "$wheel") bytes"
"$bin/pip" install -q "$wheel[test]"
# Packages that are not for every platform: tests that need one that is missing are skipped.
for package in ray pin mujoco; do
  "$bin/pip" install -q "$package" > "$place/pip.txt" 2>&1 || echo "not installed, so not tested with: $package"
done
"$bin/python" -m pytest -rs tests
"$bin/python" -m pytest --doctest-modules --pyargs delassus
"$bin/python" -m mypy --strict tests/typed.py speed.py engines.py
(cd "$place" && "$bin/python" -m mypy --strict -p delassus && "$bin/python" -m mypy.stubtest delassus)
