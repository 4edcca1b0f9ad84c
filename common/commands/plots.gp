# plots.gp : a curve of `step`, from the lines of `$data`, as an SVG on stdout.  Its colours can be
# read on a light page and on a dark one, so it has no background.
set terminal svg size 720,400 font "sans-serif,13"
set logscale x 4
set logscale y 10
set border 3 linecolor rgb "#888888"
set tics nomirror textcolor rgb "#888888"
set xtics format "%.0f"
set grid linecolor rgb "#888888" linewidth 0.3
set key outside center top horizontal maxrows 1 samplen 3 reverse Left textcolor rgb "#888888"
if (step eq "step08") {
    set xrange [12:1500000]
    set yrange [0.3:3e6]
    set ytics format "%.0f" add ("1 million" 1e6, "100,000" 1e5, "10,000" 1e4, "1,000" 1e3)
    set xlabel "n random numbers from 0 to 1" textcolor rgb "#888888"
    set ylabel "error in ulp, the worst of 16 sums" textcolor rgb "#888888"
    plot $data using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb "#d9534f" \
            title "one after another", \
        $data using 1:3 with linespoints linewidth 2 pointtype 5 linecolor rgb "#c68a00" \
            title "blocked, 32 x 32", \
        $data using 1:4 with linespoints linewidth 2 pointtype 9 linecolor rgb "#3d8bd4" \
            title "pairwise", \
        $data using 1:5 with lines dashtype 2 linecolor rgb "#d9534f" title "the most it can be", \
        $data using 1:6 with lines dashtype 2 linecolor rgb "#c68a00" notitle, \
        $data using 1:7 with lines dashtype 2 linecolor rgb "#3d8bd4" notitle
} else { if (step eq "step18") {
    set datafile missing "?"
    set logscale x 10
    set xrange [0.005:1000]
    set yrange [200:130000]
    set xtics format "%g"
    set ytics format "%.0f" add ("100,000" 1e5, "10,000" 1e4, "1,000" 1e3)
    set xlabel "flop for each byte of the sectors that loads and stores touch" \
        textcolor rgb "#888888"
    set ylabel "GFLOP/s on an H200" textcolor rgb "#888888"
    set arrow from 682.7, 200 to 682.7, 130000 nohead dashtype 2 linecolor rgb "#c68a00"
    set label "each number\nmoved once" at 640, 420 right textcolor rgb "#c68a00"
    set label "bytes of memory" at 0.16, 480 textcolor rgb "#888888"
    set label "multiply-adds" at 60, 90000 textcolor rgb "#888888"
    plot $data using 1:3 with lines linewidth 2 linecolor rgb "#888888" notitle, \
        $data using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb "#3d8bd4" \
            notitle, \
        $data using ($1 < 1 ? $1 : NaN):2:4 with labels right offset -1,0.4 \
            textcolor rgb "#3d8bd4" notitle, \
        $data using ($1 < 1 ? NaN : $1):2:4 with labels left offset 1,-0.5 \
            textcolor rgb "#3d8bd4" notitle
} else {
    set datafile missing "?"
    set xrange [12:90000]
    set yrange [1:400]
    set ytics format "%.0f"
    set xlabel "lines of the ring" textcolor rgb "#888888"
    set ylabel "ns a load" textcolor rgb "#888888"
    plot $data using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb "#3d8bd4" \
            title "a CPU: packed", \
        $data using 1:3 with linespoints linewidth 2 pointtype 6 linecolor rgb "#d9534f" \
            title "a page each", \
        $data using 1:4 with linespoints linewidth 2 dashtype 2 pointtype 5 \
            linecolor rgb "#3d8bd4" title "an H200: packed", \
        $data using 1:5 with linespoints linewidth 2 dashtype 2 pointtype 4 \
            linecolor rgb "#d9534f" title "a page each"
}}
