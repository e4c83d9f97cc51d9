#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of the window and its dialogs, light and dark at 1x and 2x, with high contrast, and in German, to be looked at.
# Usage: tests/gui/gallery.sh [FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-out/gallery}
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
pictures() {  # FOLDER THEME: light, dark or high-contrast
    build/release/bin/gui_gallery "$1" "$2"
    build/release/bin/gui_charts_gallery "$1/charts" "$2"
    build/release/bin/gui_subbands_gallery "$1/subbands" "$2"
    build/release/bin/gui_files_gallery "$1/files" "$2"
}
for theme in light dark; do
    for scale in 1 2; do QT_SCALE_FACTOR=$scale pictures "$folder/$theme-${scale}x" "$theme"; done
done
QT_SCALE_FACTOR=1 pictures "$folder/high-contrast" high-contrast
# Longer words, and fewer pixels for them.
GALLERY_LANGUAGE=de QT_SCALE_FACTOR=1 pictures "$folder/german" light
find "$folder" -name '*.png' | sort
