#!/usr/bin/env bash
# Builds every fuzz target as OSS-Fuzz and ClusterFuzzLite ask: compilers and flags from the environment (CC, CXX, CFLAGS,
# CXXFLAGS, LIB_FUZZING_ENGINE), results into $OUT: the targets and, beside each, _seed_corpus.zip, .options and perhaps .dict.
# No flag of an engine or a sanitizer is set here. ci/oss-fuzz/check runs this on a developer's machine.
# zlib, cJSON and libconfig are built in the same way, from the sources that ci/oss-fuzz/sources has put into
# $SRC/libraries, and linked statically: the runner has none of them.
set -euo pipefail
cd "$(dirname "$0")/../.." 2>/dev/null && [[ -f CMakePresets.json ]] || cd "$SRC/picafuzz"
: "${CC:?}" "${CXX:?}" "${OUT:?}" "${SRC:?}" "${LIB_FUZZING_ENGINE:?}"
work=${WORK:-/tmp}/picafuzz-build
libraries=$work/libraries
# Guest arithmetic wraps in unsigned on purpose; each report of it would cost time and hide the others.
[[ ${SANITIZER-} != undefined ]] || export CFLAGS="${CFLAGS-} -fno-sanitize=unsigned-integer-overflow"
rm -rf "$work"
mkdir -p "$libraries/include/cjson" "$libraries/lib/pkgconfig"

# build_library NAME VERSION FLAG.. -- FILE..: an archive, and what pkg-config says of it. That these libraries' C is not
# strictly defined is none of our findings.
build_library() {
  local name=$1 version=$2 flags=() objects=()
  shift 2
  [[ ${SANITIZER-} != undefined ]] || flags+=(-fno-sanitize=undefined)
  while [[ $1 != -- ]]; do flags+=("$1"); shift; done
  shift
  mkdir -p "$work/$name"
  for file in "$@"; do
    objects+=("$work/$name/$(basename "$file" .c).o")
    # shellcheck disable=SC2086 # flags are words
    $CC ${CFLAGS-} -fPIC -w "${flags[@]}" -c "$file" -o "${objects[-1]}"
  done
  ar rcs "$libraries/lib/lib$name.a" "${objects[@]}"
  printf 'Name: %s\nDescription: %s\nVersion: %s\nCflags: -I%s\nLibs: -L%s -l%s\n' "$name" "$name" "$version" \
    "$libraries/include" "$libraries/lib" "$name" >"$libraries/lib/pkgconfig/lib$name.pc"
}
zlib=$(echo "$SRC"/libraries/zlib-*/) cjson=$(echo "$SRC"/libraries/cjson-*/) config=$(echo "$SRC"/libraries/libconfig-*/)
mapfile -t config_files < <(find "$config/lib" -maxdepth 1 -name '*.c' ! -name wincompat.c | LC_ALL=C sort)
build_library z 1 -D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H -- "$zlib"/*.c
build_library cjson 1 -- "$cjson/cJSON.c"
build_library config 1 -D_GNU_SOURCE -DHAVE_NEWLOCALE -DHAVE_USELOCALE -DHAVE_FREELOCALE -- "${config_files[@]}"
cp "$zlib"/{zlib,zconf}.h "$config/lib/libconfig.h" "$libraries/include"
cp "$cjson/cJSON.h" "$libraries/include/cjson"

PKG_CONFIG_PATH=$libraries/lib/pkgconfig cmake -S . -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_PREFIX_PATH="$libraries" -DZLIB_ROOT="$libraries" -DPICAFUZZ_STATIC=ON -DPICAFUZZ_TESTS=OFF \
  -DPICAFUZZ_WERROR=OFF -DPICAFUZZ_FOREIGN_ENGINE="$LIB_FUZZING_ENGINE" -DBUILD_SHARED_LIBS=OFF
cmake --build "$work" --target fuzzers make_seeds

ci/oss-fuzz/seeds "$work/bin" "$work/seeds"
for target in "$work"/bin/fuzz_*; do
  name=$(basename "$target")
  cp "$target" "$OUT/$name"
  cp "$work/$name.options" "$OUT/"
  [[ ! -e $work/$name.dict ]] || cp "$work/$name.dict" "$OUT/"
  (cd "$work/seeds/${name#fuzz_}" && zip -q -X -FS "$OUT/${name}_seed_corpus.zip" -- *)
done
