# Sourced by tests of pages: a script in a page, in headless Chromium. Leaves with 77 where there is none that runs
# (ci/setup.sh chromium).
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium"; exit 77; }
probe=$(mktemp -d)
"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$probe" --dump-dom about:blank 2>/dev/null |
  grep -q '<body>' || { rm -rf "$probe"; echo "a Chromium that does not run here"; exit 77; }
rm -rf "$probe"

fail() { echo "$(basename "$0"): $1" >&2; exit 1; }

# in_page PAGE SCRIPT: the lines that the script said with out() after the page was loaded; "end" is the last one.
in_page() {
  local page=$1 directory
  directory=$(dirname "$page")
  cat >"$directory/test.js" <<EOF
"use strict";
const wait = async (what, test) => {
  for (let i = 0; i < 400; i++) {
    if (test())
      return;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  throw new Error("waited in vain for " + what);
};
const text = id => document.getElementById(id).textContent;
const key = name => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
const told = [];
const out = line => told.push(line);
window.onload = async () => {
  try {
    $2
  } catch (error) {
    out("error: " + error.message);
  }
  document.body.append(...[...told, "end"].map(line => {
    const p = document.createElement("p");
    p.className = "test-line";
    p.textContent = line;
    return p;
  }));
};
EOF
  sed 's|</body>|<script src="test.js"></script></body>|' "$page" >"$directory/test.html"
  "$browser" --headless --no-sandbox --disable-gpu --window-size=1400,900 --virtual-time-budget=20000 \
    --user-data-dir="$directory/profile" --dump-dom "file://$(realpath "$directory")/test.html" 2>/dev/null |
    grep -o '<p class="test-line">[^<]*' | sed 's/^[^>]*>//'
}

# expect LINE...: each is among $lines.
expect() {
  echo "$lines"
  local line
  for line in "$@" end; do
    grep -qxF -- "$line" <<<"$lines" || fail "no line '$line'"
  done
}
