#!/bin/sh
# Stands in for a fuzz target that finds nothing.
[ "$#" -gt 1 ] || exit 0 # it is given a file: nothing fails there
echo '#1 DONE cov: 5 ft: 6 corp: 7/8b lim: 9 exec/s: 1 rss: 1Mb' >&2
sleep 1
