#!/usr/bin/env bash
# Installs the program, and `fast` into a temporary prefix, moves that, and builds and runs the example of docs/example
# against it: with find_package (static and shared), with pkg-config (shared and static), and from C++. Then looks at what
# is exported.
# Usage: check_install.sh BUILD SOURCE CMAKE CC EXPECTED_OUTPUT
set -euo pipefail
build=$1 source=$2 cmake=$3 cc=$4 expected=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "check_install: $1" >&2; exit 1; }
expect_picture() {
  local output
  output=$("$@") || fail "$* failed"
  [[ $output == "$expected" ]] || fail "$*: expected '$expected', got '$output'"
  echo "$1: $output"
}

# With its pages, which it writes itself, and into any path.
"$cmake" --install "$build" --prefix "$scratch/a program" --component program >/dev/null
"$scratch/a program/bin/picafuzz" --version >/dev/null || fail "the installed program does not run"
[[ -n $(find "$scratch/a program/share" -name 'picafuzz.1*') ]] || fail "the program has no manual page"
DESTDIR="$scratch/a stage" "$cmake" --install "$build" --prefix "/my prefix" --component program >/dev/null
[[ -n $(find "$scratch/a stage/my prefix/share" -name 'picafuzz.1*') ]] || fail "DESTDIR: there is no manual page"

"$cmake" --install "$build" --prefix "$scratch/first" --component fast >/dev/null
mv "$scratch/first" "$scratch/prefix" # an installed tree can be moved
prefix=$scratch/prefix

# An outside project, with find_package.
for library in fast fast_shared; do
  mkdir "$scratch/$library"
  sed "s/picafuzz::fast)/picafuzz::$library)/" "$source/docs/example/CMakeLists.txt" >"$scratch/$library/CMakeLists.txt"
  cp "$source/docs/example/draw_triangle.c" "$scratch/$library/"
  "$cmake" -S "$scratch/$library" -B "$scratch/$library/build" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >/dev/null
  "$cmake" --build "$scratch/$library/build" >/dev/null
  expect_picture "$scratch/$library/build/draw_triangle"
done
# Not through a pipe: grep -q ends at the first match, and ldd may be killed for writing on.
[[ $(ldd "$scratch/fast/build/draw_triangle") != *picafuzz-fast* ]] || fail "picafuzz::fast linked the shared library"
[[ $(ldd "$scratch/fast_shared/build/draw_triangle") == *picafuzz-fast* ]] || fail "picafuzz::fast_shared did not"

# A makefile's way, with pkg-config.
pc=$(dirname "$(find "$prefix" -name picafuzz-fast.pc)")
library_directory=$(dirname "$pc")
export PKG_CONFIG_PATH=$pc
read -ra flags <<<"$(pkg-config --cflags --libs picafuzz-fast)"
"$cc" -std=c11 -o "$scratch/by_pkg_config" "$source/docs/example/draw_triangle.c" "${flags[@]}"
LD_LIBRARY_PATH=$library_directory expect_picture "$scratch/by_pkg_config"
read -ra flags <<<"$(pkg-config --static --cflags --libs picafuzz-fast)"
"$cc" -std=c11 -static -o "$scratch/by_pkg_config_static" "$source/docs/example/draw_triangle.c" "${flags[@]}"
expect_picture "$scratch/by_pkg_config_static"

# Plug-ins need the headers alone, or `fast` where they are built around it; one symbol comes out of each.
expect_plug_in() {
  local exports
  exports=$(nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | grep -v '^fast_\|^pica_' || true)
  nm -D --defined-only "$1" | grep -q ' T pica_backend_entry$' || fail "$1 exports no pica_backend_entry"
  [[ -z $exports ]] || fail "$1 exports: $exports"
}
read -ra flags <<<"$(pkg-config --cflags picafuzz-fast)"
"$cc" -std=c11 -shared -fPIC -fvisibility=hidden "${flags[@]}" -o "$scratch/plug_in.so" "$source/docs/example/plug_in.c"
expect_plug_in "$scratch/plug_in.so"
read -ra flags <<<"$(pkg-config --static --cflags --libs picafuzz-fast)"
"$cc" -std=c11 -shared -fPIC -fvisibility=hidden -o "$scratch/traced.so" "$source/docs/example/traced.c" "${flags[@]}"
expect_plug_in "$scratch/traced.so"

# Most emulators are C++.
if cxx=$(command -v c++ || command -v g++ || command -v clang++); then
  cat >"$scratch/name.cpp" <<'CPP'
#include <fast/fast.h>
#include <cstdio>
int main() { std::puts(fast_backend()->name); }
CPP
  read -ra flags <<<"$(pkg-config --cflags --libs picafuzz-fast)"
  "$cxx" -std=c++11 -Wall -Wextra -Werror -o "$scratch/name" "$scratch/name.cpp" "${flags[@]}"
  [[ $(LD_LIBRARY_PATH=$library_directory "$scratch/name") == fast ]] || fail "C++ got another backend's name"
  "$cxx" -std=c++11 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden "${flags[@]}" -o "$scratch/plug_in_cpp.so" \
    "$source/docs/example/plug_in.cpp"
  expect_plug_in "$scratch/plug_in_cpp.so"
fi

# Nothing without a prefix can meet a name of the emulator's.
exported=$(nm -D --defined-only "$library_directory/libpicafuzz-fast.so" | awk '{ print $3 }' | sort)
declared=$(grep -oE '\bfast_[a-z_]+\(' "$source/fast/fast.h" | tr -d '(' | sort)
[[ $(grep -v '^pica_' <<<"$exported") == "$declared" ]] ||
  fail "libpicafuzz-fast.so exports: $exported"
archived=$(nm --defined-only --extern-only "$library_directory/libpicafuzz-fast.a" | awk 'NF == 3 { print $3 }')
[[ -n $archived ]] || fail "libpicafuzz-fast.a defines nothing"
! grep -vE '^(fast|pica)_' <<<"$archived" || fail "libpicafuzz-fast.a: names above lack their prefix"
