#!/bin/sh
# Brings the picafuzz program of a release to build-picafuzz/picafuzz. Needs curl.
set -eu
url='@URL@'
sum='@SHA256@' # of that file; empty: whatever comes is run
cd "$(dirname "$0")/.."
mkdir -p build-picafuzz
curl -fsSL --retry 3 -o build-picafuzz/picafuzz.part "$url"
if [ -n "$sum" ]; then
  echo "$sum  build-picafuzz/picafuzz.part" | sha256sum -c -
fi
chmod +x build-picafuzz/picafuzz.part
mv build-picafuzz/picafuzz.part build-picafuzz/picafuzz
build-picafuzz/picafuzz --version
