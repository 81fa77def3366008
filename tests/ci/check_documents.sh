#!/usr/bin/env bash
# ci/documents says which line of a page is not true, and nothing about what is.
# Usage: check_documents.sh DIRECTORY      where pages are written
set -euo pipefail
cd "$(dirname "$0")/../.."
page=$1/page.md
mkdir -p "$1"

# says CODE TEXT: of the page that stdin is.
says() {
  local code=0 said
  cat >"$page"
  said=$(ci/documents --build "$1" "$page") || code=$?
  ((code == $2)) || { echo "expected exit code $2, found $code: $said" >&2; exit 1; }
  [[ $said == *"$3"* ]] || { echo "expected '$3', found '$said'" >&2; exit 1; }
}

true_page() {
  printf '# A page\n\n[here](#a-page) `[no](link)`\n\n<!-- run: word=five -->\n<!-- into three -->\n    1\n    2\n    3\n\nText.\n\n'
  printf '    $ cat three; echo $word\n    1\n    ...\n    3\n    f...e\n\n<!-- not run: it would fail -->\n    $ false\n    nothing\n'
}
true_page | says "$1" 0 ""
true_page | sed 's/#a-page/#another/' | says "$1" 1 "page.md:3: nothing is at '#another'"
true_page | sed 's/(#a-page)/(gone.md)/' | says "$1" 1 "nothing is at 'gone.md'"
true_page | sed 's/f...e/six/' | says "$1" 1 "page.md:17: expected 'six', printed:"
true_page | sed '/f...e/d' | says "$1" 1 "expected 'no more'"
true_page | sed 's/not run: .* -->/run: true -->/' | says "$1" 1 "expected 'nothing'"
