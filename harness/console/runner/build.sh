#!/usr/bin/env bash
# Builds the program for the console with Debian's gcc-arm-none-eabi and nothing else. Usage: build.sh [OUT.3dsx]
# The result is in the tree (runtime.3dsx), so that exporting needs no cross compiler; ci/console-runtime compares.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "${1:-$here/runtime.3dsx}")
cd "$here/../../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c17 -march=armv6k -mtune=mpcore -marm -mfloat-abi=soft -mno-unaligned-access -Os -ffreestanding
       -fno-strict-aliasing -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns
       -Wall -Wextra -Werror -Wconversion -Wshadow -Wstrict-prototypes -Wswitch-enum -Wvla
       "-ffile-prefix-map=$PWD=." -I.)
objects=()
for source in harness/console/runner/*.S harness/console/runner/*.c; do
  object=$work/$(basename "$source").o
  arm-none-eabi-gcc "${flags[@]}" -c "$source" -o "$object"
  objects+=("$object")
done
arm-none-eabi-ld -T harness/console/runner/runner.ld --emit-relocs --no-warn-rwx-segments --fatal-warnings \
  -o "$work/runner.elf" "${objects[@]}"
harness/console/runner/elf_to_3dsx.py "$work/runner.elf" "$out"
