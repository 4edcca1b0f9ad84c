# Completion of cllens for bash: commands, files, and the options that --help shows.
_cllens() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=''
    case $before in
        --lanes) words='4 8 16 32 64' ;;
        --order) words='turns first last random' ;;
        --format) words='text json tsv' ;;
    esac
    if [ -z "$words" ] && [[ $word == -* ]]; then
        words=$("${COMP_WORDS[0]}" --help 2> /dev/null | grep -oE -e '^ +--[a-z-]+')
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    elif [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -c -W kernel -- "$word")
    fi # else bash completes files
}
complete -o default -F _cllens cllens
