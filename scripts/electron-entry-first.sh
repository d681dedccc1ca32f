#!/bin/sh
# Runs the Electron that ENTAIL_ELECTRON names, with the entry loaded first; see electron-entry-first.cjs.
NODE_OPTIONS="--require \"$(dirname "$0")/electron-entry-first.cjs\"" exec "$ENTAIL_ELECTRON" "$@"
