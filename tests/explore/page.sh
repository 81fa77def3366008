#!/usr/bin/env bash
# The page in headless Chromium: a click on a pixel, and keys. Exit code 77 where there is no Chromium (ci/setup.sh chromium).
# Usage: page.sh PICAFUZZ CASE DIRECTORY
set -euo pipefail
picafuzz=$1 case=$2 directory=$3
source "$(dirname "$0")/../pages/browser.sh"
rm -rf "$directory"
"$picafuzz" explore -b fast --pixel 64,64 -o "$directory" "$case" >/dev/null

click='const click = (x, y) => { // a pixel of the first picture, y up
  const canvas = document.getElementById("canvas"), box = canvas.getBoundingClientRect(), size = box.height / canvas.height;
  canvas.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.left + (x + 0.5) * size,
    clientY: box.top + (canvas.height - 1 - y + 0.5) * size }));
};
await wait("the page", () => document.body.dataset.shown !== undefined);'

# What `run --pixel` says of the same pixel: fragments of each draw, how they ended.
"$picafuzz" run --pixel 64,64 "$case" >"$directory/told"
expected=$(grep -c '^  fragment' "$directory/told")
ended=$(grep -c 'ended by the depth test' "$directory/told")

lines=$(in_page "$directory/index.html" "$click"'
    click(64, 64);
    await wait("the history", () => text("history").includes("Pixel (64, 64)"));
    const rows = [...document.querySelectorAll("#history-table tr")];
    out("fragments " + rows.filter(r => /triangle/.test(r.textContent)).length);
    out("ended " + rows.filter(r => /ended by the depth test/.test(r.textContent)).length);
    out("steps " + rows.filter(r => /combiner, fragment colour: /.test(r.textContent)).length);
    out("value " + text("value"));
    key("k");
    await wait("an earlier moment", () => /later than the moment/.test(text("history")));
    out("message [" + text("message") + "]");
    const begun = performance.now();
    click(10, 100);
    await wait("another history", () => text("history").includes("Pixel (10, 100)"));
    out("milliseconds " + Math.round(performance.now() - begun));
')
echo "$lines"
grep -qx "end" <<<"$lines" || fail "the script did not end"
grep -qx "fragments $expected" <<<"$lines" || fail "the history should have $expected fragments"
grep -qx "ended $ended" <<<"$lines" || fail "$ended fragments should be ended by the depth test"
grep -qx 'message \[\]' <<<"$lines" || fail "the page complains about an earlier moment"
grep -qx "steps $expected" <<<"$lines" || fail "each fragment of a chosen pixel should show its stages"
last=$(grep '^    colour ' "$directory/told" | tail -1 | grep -o '0x[0-9A-F]* ([0-9 ]*)')
grep -F "value (64, 64) reference: $last" <<<"$lines" >/dev/null || fail "the value should be $last"

lines=$(in_page "$directory/index.html" "$click"'
    key("Home");
    await wait("the first moment", () => document.body.dataset.shown === "0");
    key("j");
    await wait("the next", () => document.body.dataset.shown === "1");
    out("operation " + document.querySelector("#list [aria-selected=true]").textContent);
    key("End");
    for (const tab of ["commands", "textures", "shader", "registers", "difference"]) {
      document.getElementById("tab-" + tab).click();
      await wait(tab, () => document.getElementById("tab-" + tab).getAttribute("aria-selected") === "true");
      await new Promise(resolve => setTimeout(resolve, 200));
      out(tab + " " + text("panel").length);
    }
    out("message [" + text("message") + "]");
')
echo "$lines"
grep -q "^operation operation 1: load" <<<"$lines" || fail "Home and j should lead to the first operation"
for tab in commands textures shader registers difference; do
  grep -q "^$tab [1-9]" <<<"$lines" || fail "$tab is empty"
done
grep -qx 'message \[\]' <<<"$lines" || fail "the page complains"
