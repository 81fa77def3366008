#!/usr/bin/env bash
# Builds every fuzz target as OSS-Fuzz and ClusterFuzzLite ask: compilers and flags from the environment (CC, CXX, CFLAGS,
# CXXFLAGS, LIB_FUZZING_ENGINE), results into $OUT: the targets and, beside each, _seed_corpus.zip, .dict and .options.
# No flag of an engine or a sanitizer is set here. ci/oss-fuzz/check runs this on a developer's machine.
set -euo pipefail
cd "$(dirname "$0")/../.." 2>/dev/null && [[ -f CMakePresets.json ]] || cd "$SRC/picafuzz"
: "${CC:?}" "${CXX:?}" "${OUT:?}" "${LIB_FUZZING_ENGINE:?}"
work=${WORK:-/tmp}/picafuzz-build
# Guest arithmetic wraps in unsigned on purpose; each report of it would cost time and hide the others.
[[ ${SANITIZER-} != undefined ]] || export CFLAGS="${CFLAGS-} -fno-sanitize=unsigned-integer-overflow"

rm -rf "$work"
cmake -S . -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=None -DPICAFUZZ_CORE_ONLY=ON -DPICAFUZZ_WERROR=OFF \
  -DPICAFUZZ_FOREIGN_ENGINE="$LIB_FUZZING_ENGINE" -DBUILD_SHARED_LIBS=OFF
cmake --build "$work" --target fuzzers make_seeds

mkdir -p "$work/seeds"
find corpus -type f \( -name '*.pcase' -o -name '*.picacap' \) | LC_ALL=C sort |
  xargs -d '\n' "$work/bin/make_seeds" "$work/seeds"
(cd "$work/seeds" && zip -q -X "$work/seeds.zip" -- *)

for target in "$work"/bin/fuzz_*; do
  name=$(basename "$target")
  cp "$target" "$OUT/$name"
  cp "$work/$name.dict" "$work/$name.options" "$OUT/"
  cp "$work/seeds.zip" "$OUT/${name}_seed_corpus.zip"
done
