#!/bin/sh
# surroundings.sh WHERE [COMMAND ...] : a command, `make test` if none is given, in a fresh clone
# of what is committed, where others may have theirs:
#
#     en_US      in the locale of most desktops
#     tr_TR      in one where the capital of i is no I, and 0.5 is 0,5
#     unset      without any locale, neither in LC_ALL nor in LANG
#     user       as another user than root
#     read-only  as a user who may only read the clone: BUILD and LOCKSTEP_WORK lie elsewhere
#
# The last two need root.

where=$1
cd "$(dirname "$0")/.." || exit 2
. common/commands/files.sh
make_scratch
chmod 755 "$scratch" # another user, too, may look up the locale
[ $# = 0 ] || shift
[ $# != 0 ] || set -- make test
case $where in
    en_US | tr_TR)
        LOCPATH=$scratch/locale
        LC_ALL=$(sh tests/other_locale.sh "$LOCPATH" "$where") ||
            fail "no locale $where can be made here" "Debian's package locales has what it is made of"
        export LOCPATH LC_ALL
        ;;
    unset) unset LC_ALL LANG LANGUAGE LC_CTYPE LC_COLLATE LC_NUMERIC LC_MESSAGES ;;
    user | read-only)
        [ "$(id -u)" = 0 ] || fail "only root can become another user" "sudo sh tests/surroundings.sh $where"
        ;;
    *) fail "there is no place '$where'" 'sh tests/surroundings.sh en_US, tr_TR, unset, user or read-only' ;;
esac

git clone -q . "$scratch/clone" || exit
mkdir "$scratch/home"
case $where in
    user) chown -R nobody "$scratch" ;;
    read-only)
        chown nobody "$scratch" "$scratch/home"
        export BUILD="$scratch/built" LOCKSTEP_WORK="$scratch/work"
        ;;
esac
case $where in
    user | read-only)
        export HOME="$scratch/home" SETUP=no
        set -- setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
        ;;
esac
cd "$scratch/clone" && "$@" < /dev/null
