#!/bin/sh
# Stands in for a fuzz target that needs a while to say why it fails, as a sanitizer that looks symbols up. SIGINT ends it
# at once, as libFuzzer's handler does. TELLS: how long, in fifths of a second, or less if the file "telling.seen" is there.
. "${0%/*}/target_options.sh"
echo '#1 DONE cov: 5 ft: 6 corp: 7/8b lim: 9 exec/s: 1 rss: 1Mb' >&2
trap 'echo interrupted >&2; exit 72' USR1 INT
printf 'picafuzz: the backends differ\nmemory: 1 byte(s) differ, first at 0x18000000\n' >&2
: >"$corpus/../telling"
for _ in $(seq "${TELLS:-10}"); do test -e "$corpus/../telling.seen" || sleep 0.2; done
printf 'input' >"${prefix}crash-0123"
exit 77
