#!/bin/sh
# Stands in for a fuzz target on a full disk. HOW: "finding": of what it found there is only the name; or "full", where it
# makes the file FULL instead, runs on, and says when it is stopped.
. "${0%/*}/target_options.sh"
[ "$#" -gt 1 ] || exit 0 # it is given a file: nothing fails there
echo '#1 DONE cov: 5 ft: 6 corp: 7/8b lim: 9 exec/s: 1 rss: 1Mb' >&2
case $HOW in
  finding)
    : >"${prefix}crash-0123"
    printf 'picafuzz: the backends differ\nmemory: 1 byte(s) differ, first at 0x18000000\n' >&2
    exit 77
    ;;
  full)
    trap 'exit 0' USR1 INT
    : >"$FULL"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.2; done
    ;;
esac
sleep 1
