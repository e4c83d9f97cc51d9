#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The icon in the sizes that desktops without scalable icons ask for. Needs rsvg-convert (package librsvg2-bin).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
name=io.github.parallax.Parallax
for size in 16 24 32 48 64 128 256 512; do
    rsvg-convert --width "$size" --height "$size" "$name.svg" --output "$name-$size.png"
done
