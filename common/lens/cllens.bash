# Completion of cllens for bash: commands, files, and the options that --help shows, with the
# values that it says one may choose of.
_cllens() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=''
    if [[ $before == --* ]]; then # what it says of a value that it does not take
        words=$("${COMP_WORDS[0]}" "$before=" 2>&1 | sed -n 's/^ *hint *choose one of //p' | tr -d ,)
    fi
    if [ -z "$words" ] && [[ $word == -* ]]; then
        words=$("${COMP_WORDS[0]}" --help 2> /dev/null | grep -oE -e '^  --[a-z-]+')
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    elif [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -c -W 'kernel check' -- "$word")
    fi # else bash completes files
}
complete -o default -F _cllens cllens
