# errors.gp : the errors of three ways to add n numbers, and the most that they can be.  $data has n,
# three errors, and three bounds.
set logscale x 4
set logscale y 10
set lmargin at screen across(100)
set rmargin at screen across(480)
set tmargin at screen down(100)
set bmargin at screen down(height - 74)
set xrange [12:1500000]
set yrange [0.3:3e6]
set xtics format "%.0f"
set xtics ("16" 16, "256" 256, "4,096" 4096, "65,536" 65536, "1,048,576" 1048576)
set ytics ("1" 1, "10" 10, "100" 100, "1,000" 1e3, "10,000" 1e4, "100,000" 1e5, "1 million" 1e6)
set xlabel "n random numbers from 0 to 1" textcolor rgb text
set label "error in ulp" at screen across(6), down(92) textcolor rgb text
set key at screen across(6), down(4) left top vertical maxcols 2 maxrows 2 width 2
plot $data using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb own \
        title "one after another", \
    $data using 1:3 with linespoints linewidth 2 pointtype 5 linecolor rgb cpu \
        title "blocked, 32 x 32", \
    $data using 1:4 with linespoints linewidth 2 pointtype 9 linecolor rgb gpu title "pairwise", \
    $data using 1:5 with lines linewidth 1.5 dashtype 2 linecolor rgb own title "at most", \
    $data using 1:6 with lines linewidth 1.5 dashtype 2 linecolor rgb cpu notitle, \
    $data using 1:7 with lines linewidth 1.5 dashtype 2 linecolor rgb gpu notitle
