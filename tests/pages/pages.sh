#!/usr/bin/env bash
# The pages of findings, changes, scores and coverage in headless Chromium: what they show of the facts in them, and
# their controls. Exit code 77 where there is no Chromium.
# Usage: pages.sh PICAFUZZ BROKEN_BACKEND DIRECTORY
set -euo pipefail
picafuzz=$1 broken=$2 directory=$3
source "$(dirname "$0")/browser.sh"
rm -rf "$directory"
mkdir -p "$directory"

# 0 and 1 are fine: findings are wanted.
run() { PICAFUZZ_FAULT=pixel "$picafuzz" "$@" >/dev/null || (($? == 1)) || fail "$1: exit code $?"; }

run report -b "reference,$broken" -o "$directory/report" corpus/captures/{mesh,hand}-f0.picacap corpus/seeds/fog
lines=$(in_page "$directory/report/index.html" '
  const items = () => document.querySelectorAll("details.item").length;
  out("title " + document.title);
  const all = items(), search = document.querySelector("input[type=search]");
  out("buckets are " + (all > 1 ? "several" : all));
  const of = index => document.querySelectorAll("details.item")[index];
  search.value = of(1).id;
  search.dispatchEvent(new Event("input"));
  out("found " + items() + ", told " + document.querySelector("[role=status]").textContent.replace(String(all), "all"));
  search.value = "no such words";
  search.dispatchEvent(new Event("input"));
  out("left " + items());
  search.value = "";
  search.dispatchEvent(new Event("input"));
  out("again " + (items() === all));
  location.hash = of(all - 1).id;
  await wait("the fold", () => of(all - 1).open);
  const links = [...document.querySelectorAll("td a")];
  out("links " + (links.length >= 5 && links.every(a => /^000[0-9]-[^\/]*\/index.html/.test(a.getAttribute("href")))));
  document.querySelector("select").value = "by name";
  document.querySelector("select").dispatchEvent(new Event("input"));
  out("still open " + (document.querySelectorAll("details.item[open]").length === 1));
  const shown = [...document.querySelectorAll("details.item .small img")];
  await wait("the pictures", () => shown.every(i => i.complete));
  out("pictures " + (shown.length >= 3 && shown.every(i => i.naturalWidth > 0)));
')
expect "title picafuzz findings" "buckets are several" "found 1, told 1 of all" "left 0" "again true" "links true" "still open true" "pictures true"

lines=$(in_page "$directory/report/0003-flip-and-index/index.html" '
  out("guilty " + document.querySelectorAll("mark#guilty").length);
  const image = document.querySelector("figure img"), first = image.src;
  key("f");
  out("other side " + (image.src !== first && image.src.endsWith("-second.png")));
  key("f");
  out("same side " + (image.src === first));
  out("bytes marked " + (document.querySelectorAll("pre b.bad").length >= 2));
  out("back " + document.querySelector("header + p a").getAttribute("href").startsWith("../index.html#diverge-"));
')
expect "guilty 1" "other side true" "same side true" "bytes marked true" "back true"

PICAFUZZ_FAULT=pixel "$picafuzz" fuzz -b "reference,$broken" --executions 40 --max-findings 1 --reduce-tries 20 \
  --findings "$directory/found" --corpus "$directory/corpus" --ignore screens >/dev/null 2>&1 || (($? == 1))
run report -o "$directory/hunt" "$directory/found"
lines=$(in_page "$directory/hunt/index.html" '
  const [blind, areas] = document.querySelectorAll("section.hunt table:not(.facts)");
  const row = name => [...document.querySelectorAll("section.hunt td")].find(cell => cell.textContent === name);
  out("screens " + row("screens").parentElement.lastElementChild.textContent);
  out("tables " + (blind.rows.length > 1 && areas.rows.length > 9));
  out("bars " + (areas.querySelectorAll("i.good").length >= 10));
')
expect "screens a backend does not declare this part, or it is ignored" "tables true" "bars true"

run regress -b "$broken" -b reference -o "$directory/regress" corpus/captures/hand-f0.picacap corpus/seeds/fill/widths.pcase
lines=$(in_page "$directory/regress/index.html" '
  out("changed " + document.querySelectorAll("details.item[open]").length);
  out("pictures " + (document.querySelectorAll("figure").length >= 3));
  out("same " + [...document.querySelectorAll("details.fold summary")].some(s => s.textContent === "1 agree"));
  const fold = document.querySelector("details.fold");
  out("empty " + (fold.querySelector("pre") === null));
  fold.open = true;
  await wait("what differs", () => fold.querySelector("pre") !== null);
  out("differs " + /first at 0x/.test(fold.textContent));
')
expect "changed 1" "pictures true" "same true" "empty true" "differs true"

"$picafuzz" coverage --html "$directory/coverage.html" corpus/seeds/fog/flip-and-index.pcase >/dev/null
lines=$(in_page "$directory/coverage.html" '
  out("areas " + (document.querySelectorAll("h2").length >= 10 &&
    document.querySelectorAll("h2").length === document.querySelectorAll("td a").length));
  out("bars " + [...document.querySelectorAll(".share .good")].some(i => i.offsetWidth > 0));
')
expect "areas true" "bars true"

printf '%s\t%s\t%s\t%s\t%s\t%s\n' seeds/fill gx-engines PSC-01 doc - corpus/seeds/fill/widths.pcase \
  seeds/fog fragment-shading FOG-01 choice - corpus/seeds/fog/flip-and-index.pcase >"$directory/list"
"$(dirname "$picafuzz")/make_vectors" --list "$directory/list" -o "$directory/pack.vectors" >/dev/null
run score -b "$broken" --html "$directory/score.html" "$directory/pack.vectors"
lines=$(in_page "$directory/score.html" '
  out("scores " + document.querySelectorAll("p.score").length);
  out("cases " + (document.querySelectorAll("div.item .bad").length > 0));
')
expect "scores 3" "cases true"

# The Markdown of docs/spec: marks that are left open are text; lines join, items stand alone; bars in code are no cells.
cat >"$directory/facts" <<'EOF'
{"headline":"h","state":"finding","bucket":"b","listing":[],"command":"c","rules":[{"id":"X","role":"r","file":"f.md","text":"**BLD-02** [EMU] `a<b` & c*d\n\n`**`\n\n**a\n\n- one\n  more\n- two\n\n| id | v |\n|---|---|\n| 0 | `a|b` \\| c |\n| **C** | <i>"}]}</script>
EOF
awk -v facts="$directory/facts" '/^\{/ { while ((getline line < facts) > 0) print line; next } { print }' \
  "$directory/report/0003-flip-and-index/index.html" >"$directory/rule.html"
lines=$(in_page "$directory/rule.html" '
  for (const block of document.querySelector(".rule").children)
    out(block.innerHTML.replaceAll("<", "[").replaceAll(">", "]").replaceAll("\n", "/"));
')
expect "[b]BLD-02[/b] [EMU] [code]a&amp;lt;b[/code] &amp;amp; c*d" "[code]**[/code]" "**a" "one/more" "two" \
  "[tr][td]id[/td][td]v[/td][/tr][tr][td]0[/td][td][code]a|b[/code] | c[/td][/tr][tr][td][b]C[/b][/td][td]&amp;lt;i&amp;gt;[/td][/tr]"
