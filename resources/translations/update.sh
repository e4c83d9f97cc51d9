#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings parallax_*.ts up to date with the texts of ui/, app/gui/ and of the catalog (catalog_texts.py); new ones are marked unfinished, for Qt Linguist or an
# editor. With --check nothing is written: it fails if a text has no translation (77: there is no lupdate), and, with the path of
# parallax-cli behind it, if texts of the catalog were not written anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lupdate=
for candidate in /usr/lib/qt6/bin/lupdate lupdate6 lupdate-qt6; do
    if command -v "$candidate" >/dev/null 2>&1; then lupdate=$candidate; break; fi
done
if [ -z "$lupdate" ]; then echo "update.sh: no lupdate of Qt 6 (package qt6-l10n-tools)" >&2; exit 77; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# lupdate knows the class of a text only if it finds the headers as they are included.
update() { "$lupdate" -silent -no-obsolete -locations none -source-language en -I . ui app/gui resources/translations -ts "$@"; }
files=(resources/translations/parallax_*.ts)
if [ "${1:-}" != --check ]; then
    update "${files[@]}"
    exit
fi
if [ -n "${2:-}" ]; then
    python3 resources/translations/catalog_texts.py "$2" "$folder/catalog_texts.cpp"
    if ! diff resources/translations/catalog_texts.cpp "$folder/catalog_texts.cpp" >&2; then
        echo "update.sh: texts of the catalog changed; run python3 resources/translations/catalog_texts.py $2, then update.sh" >&2
        exit 1
    fi
fi
for file in "${files[@]}"; do
    copy=$folder/$(basename "$file")
    cp "$file" "$copy"
    update "$copy"
    if grep -q 'type="unfinished"' "$copy"; then
        echo "$file lacks translations; run resources/translations/update.sh and fill in:" >&2
        grep -B2 'type="unfinished"' "$copy" | grep '<source>' >&2
        exit 1
    fi
done
