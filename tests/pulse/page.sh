#!/usr/bin/env bash
# The page of a campaign in headless Chromium: is all of it seen, wide and narrow, does it read itself again, and say when
# nobody writes it any more? Exit code 77 where there is no Chromium (ci/setup.sh chromium).
# Usage: page.sh MAKE_PAGES DIRECTORY
set -euo pipefail
make_pages=$1 directory=$2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium"; exit 77; }
rm -rf "$directory"
mkdir -p "$directory"
"$make_pages" "$directory"

fail() { echo "page.sh: $1" >&2; exit 1; }

# What a page looks like so many milliseconds of its own clock later, as lines. Reading it again sets that clock back: then it
# goes on until the page says that it is old.
look() { # PAGE MILLISECONDS WIDTH
  cat >"$directory/test.js" <<'EOF'
"use strict";
const errors = [];
window.addEventListener("error", event => errors.push(event.message));
window.addEventListener("load", () => {
  const out = line => { const p = document.createElement("p"); p.className = "test-line"; p.textContent = line; document.body.append(p); };
  const all = selector => [...document.querySelectorAll(selector)];
  const lines = []; // first all of them, or they would be looked at, too
  const pulse = document.querySelector(".pulse");
  lines.push("title " + document.title, "pulse " + pulse.className + ": " + pulse.textContent);
  const times = performance.getEntriesByType("navigation");
  lines.push("came by " + times[0].type);
  lines.push("plots " + all(".plot").length + ", pictures " + all(".plot svg").length);
  for (const figure of all(".plot svg")) {
    const box = figure.getBoundingClientRect(), inside = other => other.left >= box.left - 1 && other.right <= box.right + 1 &&
      other.top >= box.top - 1 && other.bottom <= box.bottom + 1;
    const drawn = [...figure.querySelectorAll("polyline")].map(one => one.getBoundingClientRect());
    const labels = [...figure.querySelectorAll("text")].map(one => one.getBoundingClientRect());
    const low = box.bottom - Math.min(...drawn.map(one => one.top)) < box.height / 2;
    lines.push("picture " + figure.parentElement.querySelector("figcaption").textContent + ": " + drawn.length + " lines" +
      (box.width > 200 && box.height > 80 ? "" : ", too small") + (drawn.every(inside) && labels.every(inside) ? "" : ", outside") +
      (low ? ", low" : "") + (getComputedStyle(figure.querySelector("polyline")).stroke === "none" ? ", unseen" : ""));
  }
  for (const table of all("h2 + table, h2 + div > table"))
    lines.push("table " + (table.previousElementSibling ?? table.parentElement.previousElementSibling).textContent + ": " +
      (table.rows.length - 1) + " rows");
  lines.push("bars " + all(".bar").filter(bar => bar.getBoundingClientRect().width > 0).length + " of " + all(".bar").length);
  lines.push(document.documentElement.scrollWidth <= window.innerWidth ? "fits" : "too wide");
  lines.push("images " + all("img").length, "errors [" + errors.join("; ") + "]");
  lines.forEach(out);
  out("end");
});
EOF
  sed 's|</head>|<script src="test.js"></script></head>|' "$directory/$1.html" >"$directory/test.html"
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --window-size="$3,900" --virtual-time-budget="$2" \
    --user-data-dir="$directory/profile" --dump-dom "file://$(realpath "$directory")/test.html" 2>/dev/null |
    grep -o '<p class="test-line">[^<]*' | sed 's/^[^>]*>//' || fail "Chromium does not end, or the page has no lines: $1"
}

said=""
expect() { grep -qxF -- "$1" <<<"$said" || fail "the page should say '$1', not:"$'\n'"$said"; }
sound() {
  expect "title picafuzz campaign"
  expect "images 0"
  expect "errors []"
  expect "fits"
  expect "plots 6, pictures $1"
  expect "end"
}

# Half-way the campaign did not run: each plot has two lines. As wide as on a desk, and as narrow as on a telephone.
kinds=$(sed -n '/What made the inputs/,/<\/table>/p' "$directory/weeks.html" | grep -c '^<tr><td>')
((kinds > 10)) || fail "the table of mutations is not found: $kinds rows"
for width in 1400 500; do
  said=$(look weeks 500 $width)
  sound 6
  expect "pulse pulse wrong: stuck for 3 h: nothing new; &lt;img src=x onerror=\"document.title='obeyed'\"&gt;"
  for plot in "executions" "executions a second" "edges of code" "semantic items, of all inputs looked at" "inputs of the corpus" "findings"; do
    expect "picture $plot: 2 lines"
  done
  expect "table Instances: 38 rows"
  expect "table What made the inputs: $kinds rows"
  expect "table The slowest inputs: 10 rows"
  bars=$(grep '^bars ' <<<"$said")
  [[ $bars =~ ^bars\ ([0-9]+)\ of\ ([0-9]+)$ && ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]] || fail "shares are not seen: $bars"
done
echo "$said"

# One that has begun has nothing to draw yet. A page reads itself again every ten seconds; one that nobody writes any more
# says so, and does not.
said=$(look begun 500 1400)
sound 0
expect "pulse pulse good: nothing is wrong"
"$make_pages" "$directory" # on a slow machine now.html has become old meanwhile
said=$(look now 15000 1400)
sound 0
expect "came by reload"
said=$(look old 15000 1400)
sound 0
expect "came by navigate"
grep -q '^pulse pulse wrong: written [0-9]* minutes ago: the campaign does not run' <<<"$said" || fail "an old page does not say so:"$'\n'"$said"
