# bars.gp : a bar for each row of $data: its middle and half its width, in units below the top of
# the plot; its length, or ?; the number of its device's colour, and what is written at its end; and
# that in place of a bar, or "".  $names has the variants, and where they stand.
# drawing.py sends height, top, tall, low, high, is_log, limit, limit_name, title and devices.
if (is_log) { set logscale x 10 }
set lmargin at screen across(150)
set rmargin at screen across(440)
set tmargin at screen down(top)
set bmargin at screen down(top + tall)
set border 1
set xrange [low:high]
set yrange [tall:0]
unset ytics
set grid noytics
set xtics format "%g"
set xlabel title textcolor rgb text offset across(0),0.2
if (strlen(limit_name)) {
    set label limit_name at limit, -12 center textcolor rgb text
    set arrow from limit, 0 to limit, tall nohead front linecolor rgb text linewidth 1.5 dashtype 2
}
set key at screen across(6), down(4) left top vertical maxcols 1
plot for [i = 1:words(devices) / 2] keyentry with boxes fillstyle solid noborder \
        linecolor rgb colour(int(word(devices, 2 * i - 1))) title word(devices, 2 * i), \
    $data using (low):1:(low):3:($1 - $2):($1 + $2):(colour($4)) with boxxyerror \
        fillstyle solid noborder linecolor rgb variable notitle, \
    $data using (high):1:5:(colour($4)) with labels left offset 1,0 \
        textcolor rgb variable notitle, \
    $data using (low):1:6:(colour($4)) with labels left offset 0.5,0 \
        textcolor rgb variable notitle, \
    $names using (low):1:2 with labels right offset -0.7,0 textcolor rgb text notitle
