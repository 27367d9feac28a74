#!/usr/bin/env bash
# Builds the laboratory into web/dist: a folder of static files that any web server can serve.
# Needs Rust with the target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown).
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked --profile web --target wasm32-unknown-unknown -p delassus-web
rm -rf web/dist.part
mkdir web/dist.part
assets=crates/delassus-report/src/assets
cp web/site/* "$assets"/{page.css,stage.js,plane.js,space.js,player.js} web/dist.part/
cp "${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/web/delassus_web.wasm" web/dist.part/delassus.wasm
rm -rf web/dist
mv web/dist.part web/dist
echo "web/dist: $(stat -c %s web/dist/delassus.wasm) bytes of wasm, compressed $(gzip -9 -c web/dist/delassus.wasm | wc -c)"
