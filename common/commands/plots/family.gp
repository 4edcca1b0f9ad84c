# family.gp : what all plots share: the size, the font, the colours, the axes and the grid.  A
# picture is 520 units wide, and its smallest text is 16 units high, so that the text has 11 pixels
# where a telephone shows the picture 360 pixels wide.  There is no background.  drawing.py adds
# the colours for a dark page, and sends `height`.
set terminal svg size 520,height noenhanced font "sans-serif,16"
set encoding utf8
set datafile missing "?"

text = "#555555"
gpu = "#1f66b0" # a stored GPU, and the first curve
cpu = "#b8802e" # a stored CPU, and the second one
own = "#1f8a4c" # the reader's own device, and the third
pale = "#a9bed6" # what an earlier chapter has shown
edge = "#777777"
colour(device) = device == 1 ? 0x1f66b0 : device == 2 ? 0xb8802e : 0x1f8a4c

set border 3 linecolor rgb edge
set tics nomirror textcolor rgb text
set grid linetype 1 linecolor rgb edge linewidth 0.3
set key textcolor rgb text reverse Left samplen 1.5 spacing 1.1
across(x) = x / 520.0 # of the picture, as gnuplot counts on the screen
down(y) = 1 - y / (1.0 * height)
