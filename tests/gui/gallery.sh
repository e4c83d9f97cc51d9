#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of the window and its dialogs, to be looked at: English and German; light, dark and high contrast; at 1x and 2x; and in a window
# of 1000 x 650.
# Usage: tests/gui/gallery.sh [FOLDER [LANGUAGE THEME SCALE]]     as in: gallery.sh out/gallery de high-contrast 2
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-out/gallery}
screen=$(mktemp)
trap 'rm -f "$screen"' EXIT
# The usual screen without a display has 800 x 800 pixels, into which dialogs would be squeezed.
echo '{"screens": [{"name": "large", "x": 0, "y": 0, "width": 3840, "height": 2400, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}' >"$screen"
export QT_QPA_PLATFORM=offscreen:configfile=$screen LC_ALL=C.UTF-8
bin=build/release/bin
pictures() {  # LANGUAGE THEME SCALE
    export GALLERY_LANGUAGE=$1 QT_SCALE_FACTOR=$3
    local to=$folder/$1-$2-${3}x
    "$bin/gui_gallery" "$to" "$2"
    "$bin/gui_dialogs_gallery" "$to/dialogs" "$2"
    "$bin/gui_charts_gallery" "$to/charts" "$2"
    "$bin/gui_subbands_gallery" "$to/subbands" "$2"
    "$bin/gui_files_gallery" "$to/files" "$2"
    "$bin/gui_solvers_gallery" "$to/solvers" "$2"
    "$bin/gui_rendering_gallery" "$to/rendering" "$2"
    "$bin/gui_selections_gallery" "$to/selections" "$2"
}
if [ $# -ge 4 ]; then
    pictures "$2" "$3" "$4"
else
    for language in en de; do
        for theme in light dark high-contrast; do
            for scale in 1 2; do pictures "$language" "$theme" "$scale"; done
        done
        GALLERY_LANGUAGE=$language GALLERY_SIZE=1000x650 QT_SCALE_FACTOR=1 "$bin/gui_gallery" "$folder/$language-small" dark
    done
fi
find "$folder" -name '*.png' | sort
