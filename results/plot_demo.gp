# Draws runs.csv of `fermata demo`: conflicts, and speed-up against the first indexer, by kernel and indexer.
#   gnuplot -c plot_demo.gp RUNS.csv PICTURE.svg      (or PICTURE.png)
# Kernels and indexers are those of the file, in the order in which they first come.
# gnuplot cuts a quoted cell at its first comma: an indexer's text must hold none.
runs = ARG1
picture = ARG2
set datafile separator comma
set datafile columnheaders

# Names are gathered by reading the file once, as a list of quoted words.
place(names, name) = sum [i = 1 : words(names)] (word(names, i) eq name ? i : 0)  # from 1; 0: not there
add(names, name) = place(names, name) > 0 ? names : names . ' "' . name . '"'
kernels = ''
indexers = ''
kernel(row) = strcol('workload') . '~' . strcol('parameters')
stats runs using (kernels = add(kernels, kernel(0)), indexers = add(indexers, strcol('indexer')), 0) nooutput
kernelCount = words(kernels)
indexerCount = words(indexers)

# A long list of parameters is cut: the tables hold them in full.
replaced(text, from, to) = strstrt(text, from) == 0 ? text : text[1 : strstrt(text, from) - 1] . to . replaced(text[strstrt(text, from) + strlen(from) : *], from, to)
short(text) = strlen(text) > 34 ? text[1:33] . '…' : text
title(key) = key[1 : strstrt(key, '~') - 1]
detail(key) = short(replaced(key[strstrt(key, '~') + 1 : *], ';', ' '))

# The longest label decides where the panels begin: 10 pixels per character are more than the fonts
# take on average.
longer(a, b) = a > b ? a : b
longest = 0
do for [k = 1 : kernelCount] {
  longest = longer(longest, longer(strlen(title(word(kernels, k))), strlen(detail(word(kernels, k)))))
}
labels = longer(120, 24 + 10 * longest)
width = labels + 970
height = 190 + 62 * kernelCount
x(pixels) = pixels / (width + 0.0)  # fraction of the screen
if (picture[strlen(picture) - 3 : *] eq '.png') {
  set terminal pngcairo size width, height font 'DejaVu Sans,11' noenhanced background '#ffffff'
} else {
  set terminal svg size width, height font 'DejaVu Sans,Arial,sans-serif,14' noenhanced background '#ffffff'
}
set output picture

# Colours that everybody can tell apart (Okabe and Ito).
array colour[6] = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00']
step = 0.8 / indexerCount
centre(row) = place(kernels, kernel(0)) + (place(indexers, strcol('indexer')) - (indexerCount + 1) / 2.0) * step
is(index) = strcol('indexer') eq word(indexers, index)

grouped(n) = n < 1000 ? sprintf('%d', n) : grouped(n / 1000) . sprintf(',%03d', n % 1000)
withConflicts(degree, conflicts) = sprintf(' %.2f', degree) . (conflicts > 0 ? ' (' . grouped(int(conflicts)) . ')' : '')

stats runs using (column('mean_passes')) nooutput
degreeEnd = STATS_max > 32 ? STATS_max : 32
array first[kernelCount]  # cycles of each kernel with the first indexer
stats runs using (place(indexers, strcol('indexer')) == 1 ? (first[place(kernels, kernel(0))] = column('cycles')) : 0) nooutput
speedup(row) = first[place(kernels, kernel(0))] / (column('cycles') + 0.0)
stats runs using (speedup(0)) nooutput
speedupStart = (STATS_min < 1 ? STATS_min : 1) / 1.1
speedupEnd = STATS_max > 2 ? STATS_max : 2
withCycles(ratio, cycles) = sprintf(' %.2f (%s)', ratio, grouped(int(cycles)))

set style fill solid 1.0 noborder
set border 3 lc '#666666'
set grid xtics lc '#dddddd' lt 1
set ytics scale 0 nomirror ('' 0) textcolor '#000000'
set xtics nomirror textcolor '#000000'
set yrange [kernelCount + 0.55 : 0.45]
set tmargin at screen 1 - 120.0 / height
set bmargin at screen 62.0 / height
unset key
set multiplot
set label 1 'Bank conflicts and speed-up by kernel and scratchpad indexer' at screen x(19), screen 1 - 24.0 / height font ',16'
do for [index = 1 : indexerCount] {
  left = x(20 + 162 * (index - 1))
  set object 10 + index rectangle from screen left, screen 1 - 64.0 / height to screen left + x(18), screen 1 - 50.0 / height fc rgb colour[(index - 1) % 6 + 1] fs solid noborder
  set label 10 + index word(indexers, index) at screen left + x(24), screen 1 - 57.0 / height
}
do for [k = 1 : kernelCount] {
  set ytics add (title(word(kernels, k)) . "\n" . detail(word(kernels, k)) k)
}

# A panel: bars from `start` to a figure, one colour per indexer, and the figure behind each.
set lmargin at screen x(labels)
set rmargin at screen x(labels + 344)
set title 'Conflict degree (bank conflict cycles)' offset 0, -0.5
set logscale x 2
set xrange [1 : degreeEnd]
set xlabel 'passes per shared access; 1: no conflict'
plot for [index = 1 : indexerCount] \
     runs using (is(index) ? 1 : NaN):(centre(0)):(1):(column('mean_passes')):(centre(0) - step * 0.45):(centre(0) + step * 0.45) \
       with boxxyerror lc rgb colour[(index - 1) % 6 + 1], \
     runs using (column('mean_passes')):(centre(0)):(withConflicts(column('mean_passes'), column('wavefronts_excessive'))) \
       with labels left font ',9' tc '#333333'

unset label
unset object
unset ytics
set lmargin at screen x(labels + 494)
set rmargin at screen x(labels + 850)
set title 'Speed-up against '.word(indexers, 1).' (SM cycles)'
set logscale x 2
set xrange [speedupStart : speedupEnd]
set format x '%g'
set xlabel 'cycles with '.word(indexers, 1).' / cycles'
set arrow 1 from 1, graph 0 to 1, graph 1 nohead front lc '#666666'
plot for [index = 1 : indexerCount] \
     runs using (is(index) ? 1 : NaN):(centre(0)):(1):(speedup(0)):(centre(0) - step * 0.45):(centre(0) + step * 0.45) \
       with boxxyerror lc rgb colour[(index - 1) % 6 + 1], \
     runs using (speedup(0) > 1 ? speedup(0) : 1):(centre(0)):(withCycles(speedup(0), column('cycles'))) \
       with labels left font ',9' tc '#333333'
unset multiplot
