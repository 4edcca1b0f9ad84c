# headlines.gp : for each headline and device of $data a bar from 1 to the ratio: to the right, if the
# first is faster, and to the left, if it is slower.  charts.py sends height, tall and devices.
set logscale x 10
set lmargin at screen across(10)
set rmargin at screen across(510)
set tmargin at screen down(52)
set bmargin at screen down(52 + tall)
set border 1
set xrange [0.0018:4000]
set yrange [tall:0]
unset ytics
set grid noytics
unset grid
set xtics format "%g"
set xlabel "times as fast (logarithmic)" textcolor rgb text offset 0,0.2
set key at screen across(6), down(4) left top vertical maxcols 1
plot for [i = 1:words(devices) / 2] keyentry with boxes fillstyle solid noborder \
        linecolor rgb colour(int(word(devices, 2 * i - 1))) title word(devices, 2 * i), \
    $data using (1):1:(1):3:($1 - $2):($1 + $2):(colour($4)) with boxxyerror \
        fillstyle solid noborder linecolor rgb variable notitle, \
    $data using (1):(strlen(strcol(6)) ? $1 - 10 : NaN):(0):(38) with vectors nohead \
        linecolor rgb text linewidth 1.5 notitle, \
    $data using ($3 < 1 ? NaN : $3):1:5:(colour($4)) with labels left offset 0.6,0 \
        textcolor rgb variable notitle, \
    $data using ($3 < 1 ? $3 : NaN):1:5:(colour($4)) with labels right offset -0.6,0 \
        textcolor rgb variable notitle, \
    $data using (0.0018):($1 - 20):6 with labels left offset 0,0 textcolor rgb text notitle
