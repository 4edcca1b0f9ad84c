# difference.awk -v told=TEXT LENS : what `lens --ours` found to differ first, beside what the step
# itself says is wrong.
#
#     the sum is 5, expected 7      sums[0] is 3, ours has 2     which work-item adds what is free,
#                                                                so 3 may be right
#     line 2944, character 1 ...    text[9] is 960051513, ...    these are characters

FNR == 1 && match($0, / is .*, ours has [^ ]*$/) {
    if (told ~ /^line [0-9]+, character /)
        $0 = substr($0, 1, RSTART - 1) " differs from ours"
    else if (told ~ /^the sum is / && / sums\[/)
        $0 = $0 " (shares are yours to choose: only their sum must be right)"
}

{ print }
