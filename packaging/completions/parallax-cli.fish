# SPDX-License-Identifier: GPL-3.0-or-later
# fish completion of parallax-cli, which knows its own words: 'parallax-cli complete WORD...' prints those for the last WORD.
function __parallax_cli_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($typed[1] complete $typed[2..] "$current" 2>/dev/null)
    test (count $answer) -gt 0; or return
    if string match -q ':files*' -- $answer[-1]
        __fish_complete_path "$current"
    end
    set -e answer[-1]
    test (count $answer) -gt 0; and printf '%s\n' $answer
end
complete -c parallax-cli -f -a '(__parallax_cli_complete)'
