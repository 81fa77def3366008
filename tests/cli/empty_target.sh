#!/bin/sh
# Stands in for a fuzz target on a full disk: what it writes is empty. HOW: "corpus", "finding"; "cut", "cut-finding":
# the beginning only, of what is named by its SHA-1; or "full", where it makes the file FULL instead, runs on, and says
# when it is stopped; "stopped", where it was just writing when it is stopped.
. "${0%/*}/target_options.sh"
[ "$#" -gt 1 ] || exit 0 # it is given a file: nothing fails there
echo '#1 DONE cov: 5 ft: 6 corp: 7/8b lim: 9 exec/s: 1 rss: 1Mb' >&2
case $HOW in
  corpus) : >"$corpus/da39a3ee5e6b4b0d3255bfef95601890afd80709" ;;
  cut)
    for digits in 5 55 56 63 64 65 119 120 128 1000; do # whole: around the blocks of SHA-1
      printf "%0${digits}d" 7 >"$corpus/$(printf "%0${digits}d" 7 | sha1sum | cut -c 1-40)"
    done
    printf 'whol' >"$corpus/$(printf 'whole too' | sha1sum | cut -c 1-40)"
    ;;
  cut-finding)
    printf 'beginn' >"${prefix}crash-$(printf 'beginning' | sha1sum | cut -c 1-40)"
    printf 'picafuzz: failure 1\tdiffer\tmemory\t\tmemory: 1 byte(s) differ, first at 0x18000000\n' >&2
    exit 77
    ;;
  finding)
    : >"${prefix}crash-0123"
    printf 'picafuzz: failure 1\tdiffer\tmemory\t\tmemory: 1 byte(s) differ, first at 0x18000000\n' >&2
    exit 77
    ;;
  stopped)
    trap ': >"$corpus/da39a3ee5e6b4b0d3255bfef95601890afd80709"; exit 0' USR1 INT
    : >"$FULL"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.2; done
    ;;
  full)
    trap 'exit 0' USR1 INT
    : >"$FULL"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.2; done
    ;;
esac
sleep 1
