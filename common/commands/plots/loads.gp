# loads.gp : what a load takes.  $data has the number of lines, and the ns of packed lines and of a
# line in each page, on a CPU and on a GPU.
set logscale x 4
set logscale y 10
set lmargin at screen across(66)
set rmargin at screen across(480)
set tmargin at screen down(84)
set bmargin at screen down(height - 74)
set xrange [12:90000]
set yrange [1:400]
set xtics ("16" 16, "64" 64, "256" 256, "1,024" 1024, "4,096" 4096, "16,384" 16384, "65,536" 65536)
set ytics format "%.0f"
set xlabel "lines of the ring" textcolor rgb text
set label "ns a load" at screen across(6), down(74) textcolor rgb text
set key at screen across(6), down(4) left top vertical maxcols 2 maxrows 2 width 2
plot $data using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb cpu \
        title "CPU: packed", \
    $data using 1:3 with linespoints linewidth 2 pointtype 6 dashtype 2 linecolor rgb cpu \
        title "CPU: a page each", \
    $data using 1:4 with linespoints linewidth 2 pointtype 5 linecolor rgb gpu \
        title "H200: packed", \
    $data using 1:5 with linespoints linewidth 2 dashtype 2 pointtype 4 linecolor rgb gpu \
        title "H200: a page each"
