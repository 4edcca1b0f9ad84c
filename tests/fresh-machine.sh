#!/bin/sh
# fresh-machine.sh SUITE [FILE [MIRROR]] : proves FILE's commands on a bare system, as in
#
#     sudo sh tests/fresh-machine.sh bookworm
#     sudo sh tests/fresh-machine.sh trixie
#     sudo sh tests/fresh-machine.sh forky         Debian testing
#     sudo sh tests/fresh-machine.sh trixie Containerfile
#     sudo sh tests/fresh-machine.sh trixie .devcontainer/devcontainer.json
#     sudo sh tests/fresh-machine.sh noble .github/workflows/check.yml:check \
#         'deb [trusted=yes] http://archive.ubuntu.com/ubuntu noble main universe'
#
# It makes a throw-away root with mmdebstrap, puts the committed files there, and types what
# tests/start_commands.sh takes out of FILE, or else of README, as root and without a terminal.
# Before that, a user without root rights, who has a terminal, must be shown the command and
# asked once, and another without a terminal must be told.  After it there is no network.
#
# TEST='make step05 test' is typed in place of `make test`, which takes long.

suite=$1 file=${2:-README.md} mirror=$3
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
mmdebstrap --variant=apt --aptopt="$stale" "$suite" "$root" ${mirror:+"$mirror"} || exit
echo "$stale;" >"$root/etc/apt/apt.conf.d/99stale"
mkdir -p "$root/home/learner/a folder"
git archive HEAD | tar x -C "$root/home/learner/a folder" || exit

commands=$(sh tests/start_commands.sh "$file" | sed "s/^make test$/${TEST:-make test}/")
[ -n "$commands" ] || fail "$file has no commands" "see tests/start_commands.sh"
printf '%s\n' "$commands" >"$root/commands"

cat >"$root/prove.sh" <<'END'
set -e
say() { printf '\n== %s\n' "$*"; }
user='setpriv --reuid=1000 --regid=1000 --clear-groups'
as_user() { HOME=/home/learner $user "$@"; }
as_user_offline() { HOME=/home/learner unshare --net $user "$@"; }
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

while read -r command <&3; do
    say "root is not asked: $command"
    sh -ec "$command"
done 3</commands
say 'again, by the user, with nothing missing, and no network'
chown -R 1000:1000 /home/learner
for target in run lens; do
    as_user_offline make step05 $target </dev/null
done
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
