#!/bin/sh
# fresh-machine.sh SUITE [MIRROR] : proves README's commands on a bare Debian system, as in
#
#     sudo sh tests/fresh-machine.sh bookworm
#     sudo sh tests/fresh-machine.sh trixie
#     sudo sh tests/fresh-machine.sh forky         Debian testing
#
# It makes a throw-away root with mmdebstrap, puts the committed files there, and types
#     apt-get install -y make && make run && make test
# as root and without a terminal.  Then a user without root rights, who has a terminal,
# must be shown the command and asked once, and another without a terminal must be told.

suite=$1 mirror=$2
[ -n "$suite" ] || { sed -n 's/^# \{0,1\}//p' "$0" >&2; exit 2; }
for need in mmdebstrap unshare git tar; do
    command -v $need >/dev/null || { echo "error: $need is missing" >&2; exit 2; }
done
cd "$(dirname "$0")/.." || exit 2
. common/commands/files.sh
make_scratch
root=$scratch

# A mirror's copy of Debian testing may be older than it says it may be used.
stale='Acquire::Check-Valid-Until "false"'
# shellcheck disable=SC2086 # no mirror, no argument
mmdebstrap --variant=apt --aptopt="$stale" "$suite" "$root" $mirror || exit
echo "$stale;" >"$root/etc/apt/apt.conf.d/99stale"
mkdir -p "$root/home/learner/a folder"
git archive HEAD | tar x -C "$root/home/learner/a folder" || exit

cat >"$root/prove.sh" <<'END'
set -e
say() { printf '\n== %s\n' "$*"; }
as_user() { HOME=/home/learner setpriv --reuid=1000 --regid=1000 --clear-groups "$@"; }
cd '/home/learner/a folder'

say 'a user without root rights and without a terminal is told what to type'
apt-get update -qq && apt-get install -y make
chown -R 1000:1000 /home/learner
as_user make run </dev/null >/tmp/told 2>&1 && exit 1
cat /tmp/told
grep -q '^error: missing: a C compiler' /tmp/told
grep -q 'hint    sudo apt-get update && sudo apt-get install -y' /tmp/told

say 'a user with a terminal is shown the command and asked once'
command -v script >/dev/null || apt-get install -y bsdutils # Debian testing comes without
printf 'n\n' | as_user script -qec 'make run' /dev/null >/tmp/asked 2>&1 && exit 1
cat /tmp/asked
[ "$(grep -c 'Run it now?' /tmp/asked)" = 1 ]

say 'root is not asked: make run'
make run
say 'and make test'
make test
say 'again, by the user, with nothing missing'
chown -R 1000:1000 /home/learner
as_user make step05 run </dev/null
say 'proved'
END

cp /etc/resolv.conf "$root/etc/resolv.conf"
# shellcheck disable=SC2016 # the inner shell expands it
unshare --mount --pid --fork --kill-child sh -ec '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /sys "$1/sys"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin sh /prove.sh
' sh "$root" </dev/null
