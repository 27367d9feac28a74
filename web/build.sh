#!/usr/bin/env bash
# Builds the laboratory into web/dist: a folder of static files that any web server can serve.
# Needs Rust with the target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown).
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf web/dist.part
mkdir -p web/dist.part/records
# Modules become smaller where the packages of web/tests are installed, which needs names of functions until then.
shrink=
if command -v node > /dev/null && [ -d web/tests/node_modules/binaryen ] && [ -d web/tests/node_modules/@gfx/zopfli ]; then shrink=web/tests/shrink.mjs; fi
if [ -n "$shrink" ]; then strip=debuginfo; else strip=symbols; fi
# A module for each page and one for motions in space, one file without imports each; elsewhere the crate is a library.
modules=(impact motion space papers)
for module in "${modules[@]}"; do
  # Maps ask for impacts by the thousand, which must be fast; motions and studies come one by one, and are rather small.
  if [ "$module" = impact ]; then level=s; else level=z; fi
  cargo rustc --config "profile.web.package.delassus.opt-level='$level'" --config "profile.web.strip='$strip'" \
    --config "profile.web.package.delassus-web.strip='$strip'" --locked --profile web --target wasm32-unknown-unknown \
    -p delassus-web --lib --crate-type cdylib --no-default-features --features "$module" -- -C link-arg=--compress-relocations
  built="${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/web/delassus_web.wasm"
  if [ -n "$shrink" ]; then
    node "$shrink" "$built" "web/dist.part/$module.wasm" "$level"
  else
    cp "$built" "web/dist.part/$module.wasm"
  fi
done
assets=crates/delassus-report/src/assets
cp web/site/* "$assets"/{page.css,stage.js,plane.js,space.js,player.js} web/dist.part/
cp scenarios/records/synthetic-{east,up}.AT2 web/dist.part/records/
# Compressed beside the modules, for servers that send such files (delassus lab does).
for module in "${modules[@]}"; do
  file="web/dist.part/$module.wasm"
  if [ ! -f "$file.gz" ]; then gzip -9 -n -k "$file"; fi
  told="gzip $(stat -c %s "$file.gz")"
  if command -v brotli > /dev/null; then
    brotli -q 11 -w 24 -k "$file"
    told="$told, brotli $(stat -c %s "$file.br")"
  fi
  echo "$module.wasm: $(stat -c %s "$file") bytes, $told"
done
rm -rf web/dist
mv web/dist.part web/dist
