#!/usr/bin/env bash
# What MemorySanitizer reports is told as a failure of kind "memory" with its place, so that a campaign knows it again.
# No other test is built with that sanitizer. Usage: check_memory_report.sh DIRECTORY
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
clang -DPICAFUZZ_SOURCE_DIR="\"$tree\"" -I"$tree" -fsanitize=memory,fuzzer -g -O1 \
  "$tree"/tests/targets/memory_report.c "$tree"/harness/targets/failure.c -o memory_report
said=$(./memory_report -seed=1 -runs=10000 2>&1 || true)
wanted=$'picafuzz: failure 1\tmemory\tuse-of-uninitialized-value\tLLVMFuzzerTestOneInput memory_report.c:16:9\t'
[[ $said == *"$wanted"* ]] || { echo "check_memory_report: not told: $said" >&2; exit 1; }
[[ $said == *'SUMMARY: MemorySanitizer'* ]] || { echo "check_memory_report: the report itself is gone" >&2; exit 1; }
