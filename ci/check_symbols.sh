#!/usr/bin/env bash
# Independence in the object files: no symbol is defined in both backends. And the library for emulators exports nothing
# but what fast/fast.h declares and the tables. Usage: ci/check_symbols.sh BUILD_DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: ci/check_symbols.sh BUILD_DIRECTORY}
defined() { nm --defined-only --extern-only "$1" | awk 'NF == 3 { print $3 }' | sort -u; }
reference=$(defined "$build/lib/libreference.a")
fast=$(defined "$build/lib/libfast.a")
[[ -n $reference && -n $fast ]] || { echo "check_symbols: no symbols found in $build/lib" >&2; exit 1; }
both=$(comm -12 <(echo "$reference") <(echo "$fast"))
wrong=$(grep -vE '^ref_' <<<"$reference" || true)
wrong+=$(grep -vE '^fast_' <<<"$fast" || true)
[[ -z $both ]] || { echo "check_symbols: defined in both backends: $both" >&2; exit 1; }
[[ -z $wrong ]] || { echo "check_symbols: without the prefix of its directory: $wrong" >&2; exit 1; }
library=$build/lib/libpicafuzz-fast.so
if [[ -f $library ]]; then # instrumented builds have none
  exported=$(nm -D --defined-only "$library" | awk '$3 !~ /^pica_/ { print $3 }' | sort | tr '\n' ' ')
  [[ $exported == "fast_backend fast_draw_key fast_host_instruction_sets fast_memory_changed fast_share_memory fast_view_state " ]] ||
    { echo "check_symbols: $library exports: $exported" >&2; exit 1; }
fi
echo "check_symbols: $(wc -l <<<"$reference") + $(wc -l <<<"$fast") symbols, none in common"
