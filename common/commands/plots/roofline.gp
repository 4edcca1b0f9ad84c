# roofline.gp : kernels under a roof.  $roof has three corners; $pale what earlier chapters have shown,
# and $data the points of this one: the operations for each byte, the GFLOP/s, the height of the name
# beside the plot, and the name.  rooflines.py sends height, the ends of the axes, has_pale and
# roof_name.
set logscale xy 10
set lmargin at screen across(84)
set rmargin at screen across(332)
set tmargin at screen down(34)
set bmargin at screen down(height - 104)
set xrange [left:right]
set yrange [bottom:highest]
set xtics format "%g"
set ytics ("10" 10, "100" 100, "1,000" 1e3, "10,000" 1e4, "100,000" 1e5)
set xlabel "operations for each byte that\nloads and stores move" textcolor rgb text
set label "GFLOP/s" at screen across(6), down(14) textcolor rgb text
set label roof_name at screen across(332), down(14) right textcolor rgb text
earlier = has_pale ? "$pale" : "$data" # without any, they are hidden behind this chapter's
plot $roof using 1:2 with lines linewidth 2 linecolor rgb edge notitle, \
    @earlier using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb pale notitle, \
    $data using 1:2:(right - $1):($3 - $2) with vectors nohead linewidth 0.6 \
        linecolor rgb edge notitle, \
    $data using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb gpu notitle, \
    $data using (right):3:4 with labels left offset 0.8,0 textcolor rgb gpu notitle
