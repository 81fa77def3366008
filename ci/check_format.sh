#!/usr/bin/env bash
# Every C file of ours is formatted as .clang-format says, and no line, comments too, is longer than 120 columns.
# Usage: ci/check_format.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$(command -v clang-format-14 || command -v clang-format)
mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.c' '*.h')
((${#files[@]})) || { echo "check_format: found no C file" >&2; exit 1; }
if [[ ${1:-} == --fix ]]; then
  "$tool" -i "${files[@]}"
  exit 0
fi
if ! "$tool" --dry-run --Werror "${files[@]}" 2>&1 | head -n 20 >&2 || [[ ${PIPESTATUS[0]} -ne 0 ]]; then
  echo "check_format: run ci/check_format.sh --fix" >&2
  exit 1
fi
if grep -nE '^.{121}' "${files[@]}" >&2; then
  echo "check_format: these lines are longer than 120 columns" >&2
  exit 1
fi
echo "check_format: ${#files[@]} files"
