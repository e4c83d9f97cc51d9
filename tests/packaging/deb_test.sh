#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the Debian packages on a clean system: installs them, runs the command line, starts the window from its desktop entry with a file,
# removes them and looks for traces. For a container, as root.
# Usage: tests/packaging/deb_test.sh FOLDER-WITH-DEBS
set -euo pipefail
folder=$(cd "${1:?the folder with the packages}" && pwd)
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
fail() { echo "deb_test: $*" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_RUNTIME_DIR=$scratch
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME

apt-get update -qq
apt-get install -y -qq --no-install-recommends xvfb xauth xdotool libglib2.0-bin desktop-file-utils dbus-x11 fonts-dejavu-core >/dev/null
# Traces are files that exist after the removal and did not before, apart from logs and caches of apt and dpkg.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path "$folder" -o -path /root \
        -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -type f -print | sort
}
apt-get install -y -qq --no-install-recommends "$folder"/*.deb >/dev/null
parallax-cli devices
parallax-cli devices --json | grep -q '"openmp"' || fail "the backends are not found"
parallax-cli devices | grep -q '^openmp .*not available' && fail "openmp does not load"
parallax-cli devices | grep -q '^opencv .*not available' && fail "opencv does not load"
entry=/usr/share/applications/io.github.parallax.Parallax.desktop
desktop-file-validate "$entry"

photo="$scratch/a photo.png"  # with a blank, as people have them
parallax-cli run -i synthetic:zone-plate:200x150 -o "$photo" --op convolve:size=3 --backend openmp
cat >"$scratch/session.sh" <<'INNER'
gio launch "$1" "$2" &
for _ in $(seq 100); do
    xdotool search --name 'a photo.png' >/dev/null 2>&1 && exit 0
    sleep 0.2
done
exit 1
INNER
dbus-run-session -- xvfb-run -a bash "$scratch/session.sh" "$entry" "$photo" || fail "no window shows the file"
echo "The desktop entry opens the file."

mapfile -t installed < <(dpkg -L parallax parallax-backend-cuda 2>/dev/null | sort -u)
apt-get purge -y -qq parallax >/dev/null
apt-get purge -y -qq parallax-backend-cuda >/dev/null 2>&1 || true
for path in "${installed[@]}"; do
    [ -f "$path" ] && fail "$path stays after the removal"
done
traces=$(files | grep -i parallax || true)
[ -z "$traces" ] || fail "traces: $traces"
echo "Removed without trace."
