#!/usr/bin/env bash
# Builds the laboratory into web/dist: a folder of static files that any web server can serve.
# Needs Rust with the target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown).
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf web/dist.part
mkdir web/dist.part
# A module for each page, one file without imports each; elsewhere the crate is a library.
for page in impact motion papers; do
  # Maps ask for impacts by the thousand, which must be fast; motions and studies come one by one, and are rather small.
  if [ "$page" = impact ]; then level=s; else level=z; fi
  cargo rustc --config "profile.web.package.delassus.opt-level='$level'" --locked --profile web --target wasm32-unknown-unknown -p delassus-web --lib --crate-type cdylib \
    --no-default-features --features "$page"
  cp "${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/web/delassus_web.wasm" "web/dist.part/$page.wasm"
done
assets=crates/delassus-report/src/assets
cp web/site/* "$assets"/{page.css,stage.js,plane.js,space.js,player.js} web/dist.part/
rm -rf web/dist
mv web/dist.part web/dist
for page in impact motion papers; do
  module="web/dist/$page.wasm"
  echo "$module: $(stat -c %s "$module") bytes, compressed $(gzip -9 -c "$module" | wc -c)"
done
