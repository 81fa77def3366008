#!/usr/bin/env bash
# ci/where on a small tree of its own: what it prints of a word and of a rule, and what it complains of.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "check_where: $1" >&2; exit 1; }
# expect CODE "TEXT" ARGUMENT...: exit code and a part of the output.
expect() {
  local code=$1 text=$2 got=0 output
  shift 2
  output=$("$work/ci/where" "$@" 2>&1) || got=$?
  [[ $got == "$code" ]] || fail "where $*: exit code $got, not $code: $output"
  [[ $output == *"$text"* ]] || fail "where $*: no '$text' in: $output"
}

mkdir -p "$work"/{ci,pica,docs/spec,reference,fast/kernels,corpus/seeds/blend,tests/conformance,bench/bugs,harness}
cp "$source_dir/ci/where" "$work/ci/where"
cat > "$work/pica/stage_words.def" <<'TABLE'
STAGE_WORD(BLEND, "blend", "blend", "60-framebuffer.md", "6. Blending",
           "BLD", "reference fast seeds")
TABLE
printf '# Framebuffer\n\n## 6. Blending\n\n- **BLD-02** [EMU] p = S * sf.\n  More of it.\n\nAnother paragraph.\n' \
  > "$work/docs/spec/60-framebuffer.md"
echo '/* BLD-02 */' > "$work/reference/blend.c"
touch "$work"/fast/kernels/blend_quick.h "$work"/tests/conformance/test_blend.c "$work"/bench/bugs/blend-x.patch \
  "$work"/corpus/seeds/blend/one.pcase "$work"/reference/blender.c
echo 'crash died | harness/probe.c die | how a crash ends' > "$work/harness/words.txt"
printf '/* die() */\nint dies(void);\nstatic int die(void)\n{\n' > "$work/harness/probe.c"
git -C "$work" init -q
git -C "$work" add .

expect 0 "docs/spec/60-framebuffer.md:3  6. Blending" blend
for file in reference/blend.c fast/kernels/blend_quick.h tests/conformance/test_blend.c corpus/seeds/blend/one.pcase \
  bench/bugs/blend-x.patch; do
  expect 0 "$file" blend
done
[[ $("$work/ci/where" blend) != *blender* ]] || fail "blender.c is not called by the word"
expect 0 "reference/blend.c:1" BLD-02
expect 0 "More of it." BLD-02
[[ $("$work/ci/where" BLD-02) != *Another* ]] || fail "the rule ends where its paragraph ends"
expect 2 "docs/spec defines no rule BLD-03" BLD-03
expect 0 "harness/probe.c:3  die: how a crash ends" died
expect 0 "BLD-02  docs/spec/60-framebuffer.md:5" more of it
expect 2 "did you mean blend?" bld
expect 2 "Usage"
expect 0 "where: 2 words" --check
git -C "$work" rm -q --cached fast/kernels/blend_quick.h
expect 1 "blend has no file of its name in fast" --check
mkdir "$work/corpus/seeds/blending"
touch "$work/corpus/seeds/blending/two.pcase" "$work/tests/conformance/test_bld.c" "$work/fast/blend.c"
git -C "$work" add .
expect 1 "no word of pica/stage_words.def is 'blending'" --check
expect 1 "test_ is not followed by a word" --check
sed -i 's/ die / no_such /' "$work/harness/words.txt"
expect 1 "harness/words.txt: harness/probe.c has no no_such" --check
echo "check_where: ok"
