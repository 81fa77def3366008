#!/bin/sh
# Builds the plug-in to build-picafuzz/picafuzz_plug_in.so. Needs CMake and a compiler.
set -eu
cd "$(dirname "$0")/.."
cmake -S picafuzz -B build-picafuzz
cmake --build build-picafuzz
