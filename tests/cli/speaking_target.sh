#!/bin/sh
# Stands in for a fuzz target that fails each time it is started, with the words of the next file of the directory WORDS;
# when there is no next one, it presses Ctrl-C if WHEN_DONE says so, and else runs out its time.
. "${0%/*}/target_options.sh"
for file in "$WORDS"/*.txt; do
  [ -f "$file" ] || break
  cat "$file" >&2
  mv "$file" "$file.said"
  basename "$file" >"${prefix}crash-$(basename "$file" .txt)"
  exit 77
done
echo '#1 DONE cov: 5 ft: 6 corp: 7/8b lim: 9 exec/s: 1 rss: 1Mb' >&2
[ "$WHEN_DONE" != interrupt ] || kill -INT "$PPID"
sleep 1
