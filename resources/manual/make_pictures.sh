#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the manual with the application itself, without a display. Needs pngquant and the built targets parallax,
# parallax-cli, parallax-kernel-host, parallax_openmp, parallax_opencv, gui_gallery, gui_files_gallery, gui_charts_gallery, gui_subbands_gallery,
# gui_solvers_gallery, gui_rendering_gallery and gui_selections_gallery. Run it on an idle machine.
# Usage: resources/manual/make_pictures.sh [NAME]...     as in: make_pictures.sh window wipe
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
bin=build/release/bin
out=resources/manual/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name in the manual, file that the galleries make
pictures='
wipe window-wipe
pixels window-pixels
false-colours window-false-colours
kernel-editor dialog-kernel-editor
tone-mapping tone-mapping-global
volume volume-compare
volume-box selections/box
volume-rendering rendering/four-panes
transfer-function rendering/curve
parts files/parts
raw-dialog dialog-raw
subbands subbands/subbands-image
contact-sheet files/contact-sheet-1600
window-convergence solvers/window-convergence-runs
chart-stages charts/stages-3-usual-large
chart-speedup charts/speedup-3-usual-large
chart-runs charts/runs-3-usual-large
chart-timeline charts/timeline-streams-large
chart-convergence charts/convergence-3-usual-iterations-large
chart-parts charts/parts-3-usual-large
chart-scaling charts/scaling-3-usual-large
chart-sweep charts/sweep-3-usual-size-large
chart-roofline charts/roofline-3-usual-sweep-large
chart-history charts/history-3-usual-several-large'

chosen() { [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " == *" $1 "* ]]; }
save() {  # FROM NAME
    pngquant --force --speed 1 --strip --output "$out/$2.png" 128 "$1"
}
names=("$@")
mkdir -p "$out"
if chosen window; then
    b=openmp
    "$bin/parallax-cli" devices --json | grep -q '"NVIDIA' && b=cuda
    "$bin/parallax" --screenshot "$work/window.png" --theme dark --compare "$b,reference" resources/samples/atrium.exr
    save "$work/window.png" window
fi
if chosen tone-mapping-gradient; then
    "$bin/parallax" --screenshot "$work/gradient.png" --theme light --op tonemap:operator=gradient --compare openmp,reference \
        resources/samples/atrium.exr
    save "$work/gradient.png" tone-mapping-gradient
fi
if chosen render; then
    "$bin/parallax-cli" run -i synthetic:shepp-logan:320x320x320 -o "$work/render.png" --backend openmp --op render:view=xz,azimuth=25,elevation=30,\
clip-y0=0.42,step=0.4,zoom=1.1,width=400,height=400,mode=transfer,"curve='0.08:0:#4f86c6 0.16:0.02:#6fa8dc 0.22:0.004:#c0504d 0.26:0.3:#e46c5a 0.45:0:#f0d8a8 0.8:0.5:#f5e6c8'"
    save "$work/render.png" render
fi
# The steps of the tutorial, measured on this machine.
steps='naive interior padded registers blocked'
tutorial=no
for number in 1 2 3 4 5; do chosen "kernel-step-$number" && tutorial=yes; done
if [ $tutorial = yes ]; then
    "$bin/parallax-cli" ceilings >"$work/ceilings.txt"
    kernels=()
    for step in $steps; do
        "$bin/parallax-cli" kernel new --op convolve --sample "$step" -o "$work/$step.cpp"
        kernels+=(--kernel "$work/$step.cpp" --backend "user.$step")
    done
    "$bin/parallax-cli" bench -i synthetic:noise:2048x2048 --op convolve:size=9 "${kernels[@]}" --baseline user.naive --report "$work/step.json"
    "$bin/gui_charts_gallery" "$work/steps" light "$work/step.json"
    for number in 1 2 3 4 5; do
        ! chosen "kernel-step-$number" || save "$work/steps/roofline-step-$number-large.png" "kernel-step-$number"
    done
fi
# Galleries take minutes: only those with a chosen picture run.
run() {  # GALLERY FOLDER
    local needed=no name file
    while read -r name file; do
        [ -z "$name" ] || ! chosen "$name" || [ "$(dirname "$file")" != "$2" ] || needed=yes
    done <<<"$pictures"
    [ $needed = no ] || "$bin/$1" "$work/$2" light
}
run gui_gallery .
for gallery in files charts subbands solvers rendering selections; do run "gui_${gallery}_gallery" $gallery; done
while read -r name file; do
    [ -z "$name" ] || ! chosen "$name" || save "$work/$file.png" "$name"
done <<<"$pictures"
du -bc "$out"/*.png | tail -n 1
