#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of the window and its dialogs, light and dark, at 1x and 2x, to be looked at. Usage: tests/gui/gallery.sh [FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-out/gallery}
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
for theme in light dark; do
    for scale in 1 2; do
        QT_SCALE_FACTOR=$scale build/release/bin/gui_gallery "$folder/$theme-${scale}x" "$theme"
        QT_SCALE_FACTOR=$scale build/release/bin/gui_charts_gallery "$folder/$theme-${scale}x/charts" "$theme"
        QT_SCALE_FACTOR=$scale build/release/bin/gui_subbands_gallery "$folder/$theme-${scale}x/subbands" "$theme"
    done
done
find "$folder" -name '*.png' | sort
