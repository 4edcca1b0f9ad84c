#!/bin/sh
# docs.sh [FOLDER] : writes again, in README.md and in every .md file of docs/ and of
# docs/results/, what stands between two markers.  With a FOLDER, the new files go there
# instead.
#
#     <!-- contents -->             the steps, from the first lines of their programs
#     <!-- screen: NAME step03 -->  what the step printed in docs/results/NAME/step03.txt
#     <!-- task: step03 -->         the step's exercise that checks itself
#     <!-- table: step03 -->        all its rows from every docs/results/*.csv
#     <!-- ladder: step03 -->       the chosen rows of docs/results/ladder.txt up to it
#     <!-- rows: step05 load_sectors -->  a row for each of its variants in rungs.txt: these
#                                   columns of counts.csv, and what each device measured;
#                                   the column `time` adds the time to that
#     <!-- reuse: step18 -->       operations for each byte and for each pass of its products of
#                                   matrices, and how many of these a GPU had in a second
#     <!-- flight: step04 -->       the bytes in flight of each "N groups of M", and how long a
#                                   round then takes on a GPU
#     <!-- headlines: step05 -->    the ratio that the step reports, on each device
#     <!-- shapes: step13 -->       the same for every shape of its groups: sectors and lines
#     <!-- lens: step03 dot_tree --> a kernel's report in docs/results/lens/, and its picture
#     <!-- picture: step03 dot_tree --> the picture alone
#     <!-- worst: step03 dot_tree -->   the picture of its worst access
#     <!-- page: step03 OPTIONS dot_tree ... -->  the page that steps through these kernels, made
#                                   by the lens at a size of its own
#     <!-- lessons -->              every step's headline, on each device
#     <!-- against: cm -->         the programs of docs/results/paper-cm.txt, and ours
#     <!-- asm: NAME step09 f -->  the machine code of kernel f in docs/results/NAME/
#     <!-- profile: NAME -->        the lens's counts beside ncu's, in docs/results/NAME/
#     <!-- banks: NAME local load -->  what accesses cost, from banks.csv there
#     <!-- end -->

cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # step07b comes behind step07
. common/commands/files.sh
make_scratch
all=$scratch/all
awk -f common/commands/docs.awk README.md docs/*.md docs/results/*.md > "$all" || exit 2
mkdir -p "$scratch/pages/docs/results" "${1:-.}/docs/results" || exit 2
# A page takes the old one's place when it is whole: on a full disk none is lost.
awk -v folder="$scratch/pages" '
    /^\f/ { close(page); page = folder "/" substr($0, 2); next }
    { print > page }' "$all" || exit 2
(cd "$scratch/pages" && find . -type f) | while read -r page; do
    put "${1:-.}/$page" < "$scratch/pages/$page"
done
