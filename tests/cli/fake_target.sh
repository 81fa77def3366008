#!/bin/sh
# Stands in for a fuzz target: "finds" the seed it is given first, the way libFuzzer does, until that seed has gone from
# the corpus; then presses Ctrl-C.
. "${0%/*}/target_options.sh"
for seed in "$corpus"/*.pcb; do
  [ -f "$seed" ] || break
  cp "$seed" "${prefix}crash-0123"
  printf 'picafuzz: the backends differ\nmemory: 1 byte(s) differ, first at 0x18000000\n' >&2
  exit 77
done
echo '#1 DONE cov: 5 ft: 6 corp: 7/8b lim: 9 exec/s: 1 rss: 1Mb' >&2
kill -INT "$PPID"
sleep 1
