#compdef parallax-cli
# SPDX-License-Identifier: GPL-3.0-or-later
# zsh completion of parallax-cli, which knows its own words: 'parallax-cli complete WORD...' prints those for the last WORD.
local -a answer texts shown
local line kind
answer=("${(@f)$("${(Q)words[1]/#\~/$HOME}" complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
kind=${answer[-1]}
for line in "${(@)answer[1,-2]}"; do
    texts+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  -- }")
done
if [[ $kind == *open ]]; then
    compadd -l -S '' -d shown -a texts
elif ((${#texts})); then
    compadd -l -d shown -a texts
fi
[[ $kind == :files* ]] && _files
return 0
