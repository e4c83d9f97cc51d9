#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs tests in a real X11 window: focus, popups and sizes differ from the offscreen platform.
# Usage: xvfb.sh TEST-PROGRAM...     77: no xvfb-run, no window manager or no xcb plug-in of Qt.
set -euo pipefail
if [ "${1:-}" = --inside ]; then
    # Without a window manager no window becomes active, and shortcuts do nothing.
    ready=$HOME/window-manager-is-ready
    rm -f "$ready"
    openbox --sm-disable --startup "touch '$ready'" >/dev/null 2>&1 &
    manager=$!
    trap 'kill "$manager" 2>/dev/null || true' EXIT
    for ((i = 0; i < 1200; ++i)); do
        if [ -e "$ready" ]; then break; fi
        if ! kill -0 "$manager" 2>/dev/null; then echo "xvfb: openbox has ended"; exit 1; fi
        sleep 0.1
    done
    if [ ! -e "$ready" ]; then echo "xvfb: openbox did not get ready within two minutes"; exit 1; fi
    "$2"
    exit
fi
for needed in xvfb-run openbox; do
    if ! command -v "$needed" >/dev/null 2>&1; then echo "xvfb: no $needed (packages xvfb, openbox)"; exit 77; fi
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_RUNTIME_DIR=$scratch QT_QPA_PLATFORM=xcb
export XDG_CONFIG_HOME=$scratch XDG_CACHE_HOME=$scratch/cache XDG_DATA_HOME=$scratch/data XDG_STATE_HOME=$scratch/state
chmod 700 "$scratch"
for program in "$@"; do
    log=$scratch/$(basename "$program").log
    if ! xvfb-run --auto-servernum --server-args="-screen 0 1920x1080x24" bash "$0" --inside "$program" >"$log" 2>&1; then
        if grep -q 'Could not load the Qt platform plugin' "$log"; then tail -n 3 "$log"; exit 77; fi
        cat "$log"
        exit 1
    fi
    grep '^Totals' "$log" | sed "s|^|$(basename "$program"): |"
done
