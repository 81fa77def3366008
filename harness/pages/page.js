// Shows the facts that stand in the page as JSON. All of them are put in as text, never as markup.
"use strict";
(() => {
  // Control characters, and marks that turn the direction of what follows, show as "?".
  const HIDDEN = /[\0-\x08\x0B-\x1F\x7F-\x9F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g;
  const facts = JSON.parse(document.getElementById("facts").textContent,
    (key, value) => typeof value === "string" ? value.replace(HIDDEN, "?") : value);
  const MOST_SHOWN = 200; // items of a list until one asks for more
  const FLICKER = 400;    // milliseconds that each side is seen

  // ------------------------------------------------------------------------------------------------------- elements
  // Lists in lists are one list; null, undefined and "" are left out.
  const some = children => children.flat(Infinity).filter(c => c !== null && c !== undefined && c !== "");

  // node("p.soft", { title: "x" }, "text", other, [more], ...)
  function node(kind, attributes, ...children) {
    const [tag, ...classes] = kind.split(".");
    const element = document.createElement(tag);
    if (classes.length !== 0)
      element.className = classes.join(" ");
    for (const [key, value] of Object.entries(attributes || {}))
      if (key.startsWith("on"))
        element.addEventListener(key.slice(2), value);
      else if (value !== false && value !== undefined)
        element.setAttribute(key, value === true ? "" : value);
    element.append(...some(children));
    return element;
  }

  const link = (to, ...children) => node("a", { href: to }, ...children);
  const count = (n, word) => n + " " + word + (n === 1 ? "" : "s");
  // All words and numbers of a fact, without the names that its JSON has for them.
  const wordsOf = value => value === null || typeof value !== "object" ? String(value) : Object.values(value).map(wordsOf).join(" ");
  const pre = text => (text ? node("pre", null, text) : null);
  const heading = text => node("h2", null, text);

  function table(heads, rows) { // a cell: text, an element, or a number
    const cell = (tag, value) => node(tag + (typeof value === "number" ? ".number" : ""), null,
      typeof value === "number" ? String(value) : value);
    return node("div.scroll", null, node("table", null,
      heads ? node("tr", null, heads.map((h, i) => node("th" + (typeof rows[0]?.[i] === "number" ? ".number" : ""), null, h))) : null,
      rows.map(row => node("tr", null, row.map(value => cell("td", value))))));
  }

  function factTable(rows) { // [name, text or element]; without a value left out
    return node("table.facts", null, rows.filter(([, value]) => value)
      .map(([name, value]) => node("tr", null, node("th", null, name), node("td", null, value))));
  }

  // Parts of a whole as a bar: [class, number].
  function share(parts, whole) {
    return node("span.share", null, parts.map(([kind, part]) => {
      const piece = node("i." + kind);
      piece.style.width = (whole === 0 ? 0 : 100 * part / whole) + "%";
      return piece;
    }));
  }

  // What is in it is made when it is opened, for there may be thousands.
  function fold(summary, make) {
    const place = node("div");
    const fill = () => { if (!place.hasChildNodes()) place.append(...some([make()])); };
    return node("details.fold", { ontoggle: fill }, node("summary", null, summary), place);
  }

  function show(title, ...children) {
    document.title = title;
    document.body.replaceChildren(node("header", null, node("h1", null, title)), ...some(children));
  }

  // ---------------------------------------------------------------------------------------------------------- lists
  // A list that can be searched, narrowed by `selects` ({ label, of: item => word }) and sorted ({ label: compare }).
  // `render(item)`: its element, made once, so that what is open stays so. Keys: / to the search, j and k through it.
  function list({ items, selects = [], sorts = {}, render, nothing }) {
    const elements = new Map(), texts = new Map(items.map(item => [item, wordsOf(item).toLowerCase()]));
    const place = node("div"), told = node("span.soft", { role: "status" });
    const search = node("input", { type: "search", placeholder: "search (/)", "aria-label": "search" });
    const chosen = selects.map(({ label, of }) => node("select", { "aria-label": label },
      node("option", { value: "" }, "every " + label),
      [...new Set(items.map(of))].filter(Boolean).sort().map(word => node("option", { value: word }, word))));
    const sort = Object.keys(sorts).length < 2 ? null
      : node("select", { "aria-label": "order" }, Object.keys(sorts).map(label => node("option", { value: label }, label)));
    let most = MOST_SHOWN;

    function matching() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = items.filter(item => selects.every(({ of }, i) => !chosen[i].value || of(item) === chosen[i].value) &&
        words.every(word => texts.get(item).includes(word)));
      return sort ? found.sort(sorts[sort.value]) : found;
    }

    function update() {
      const found = matching();
      const more = node("button.more", { type: "button", onclick: () => { most = Infinity; update(); } }, "show all " + found.length);
      told.textContent = found.length === items.length ? "" : found.length + " of " + items.length;
      place.replaceChildren(...found.slice(0, most).map(item => {
        if (!elements.has(item))
          elements.set(item, render(item));
        return elements.get(item);
      }));
      if (found.length > most)
        place.append(more);
      if (found.length === 0)
        place.append(node("p.soft", null, items.length === 0 ? nothing : "Nothing matches."));
    }

    const reset = () => { most = MOST_SHOWN; update(); };
    for (const control of [search, ...chosen, sort])
      control?.addEventListener("input", reset);
    update();
    return [items.length === 0 ? null : node("div.bar.controls", null, search, chosen.filter(c => c.length > 2), sort, told), place];
  }

  function step(by) {
    const all = [...document.querySelectorAll(".item > summary")];
    const at = all.indexOf(document.activeElement);
    all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))]?.focus();
  }

  // The first that one sees: not above the window, nor in what is closed.
  function flickerInView() {
    return [...document.querySelectorAll(".flicker")].find(button => button.offsetParent !== null && button.getBoundingClientRect().bottom > 0);
  }

  document.addEventListener("keydown", event => {
    if (event.target.matches?.("input, select") || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const keys = { j: () => step(1), k: () => step(-1), f: () => flickerInView()?.click(),
      "/": () => { document.querySelector("input[type=search]")?.focus(); event.preventDefault(); } };
    keys[event.key]?.();
  });

  // Opens and shows what the address names behind #, which may be in a fold, or beyond the items that are shown.
  function follow() {
    const find = () => document.getElementById(location.hash.slice(1));
    if (location.hash.length > 1 && find() === null)
      document.querySelectorAll("button.more").forEach(button => button.click());
    const wanted = find();
    for (let fold = wanted; fold; fold = fold.parentElement)
      if (fold.tagName === "DETAILS")
        fold.open = true;
    wanted?.scrollIntoView();
  }

  // ------------------------------------------------------------------------------------------------------- pictures
  function figure(file, caption, extra) {
    return node("figure", null, link(file, node("img", { src: file, alt: caption, loading: "lazy" })),
      node("figcaption", null, caption, extra));
  }

  // Both sides and what differs; a button shows the two in one place by turns.
  function comparison(picture, names) {
    const files = [picture.first ?? picture.before, picture.second ?? picture.after];
    const left = figure(files[0], names[0]), image = left.querySelector("img"), caption = left.querySelector("figcaption");
    let side = 0, timer = null;
    const turn = to => { side = to; image.src = files[side]; caption.textContent = names[side]; };
    const flicker = node("button.flicker", { type: "button", "aria-pressed": "false", onclick: () => {
      clearInterval(timer);
      timer = timer === null ? setInterval(() => turn(1 - side), FLICKER) : null;
      flicker.setAttribute("aria-pressed", String(timer !== null));
      turn(timer === null ? 0 : 1);
    } }, "flicker (f)");
    return [
      node("h3", null, picture.title + (picture.at_end === undefined ? "" : picture.at_end ? ", at the end of the case" : ", after that operation") + ": " + count(picture.differing, "pixel") + (picture.differing === 1 ? " differs" : " differ") +
        ", first x " + picture.x + ", y " + picture.y + " (y up) ", flicker),
      picture.part ? node("p.soft", null, "The part of " + picture.part + " around that pixel.") : null,
      left, figure(files[1], names[1]), figure(picture.difference, "difference"),
      picture.zoom ? node("div", null, figure(picture.zoom, "around the first differing pixel, both sides")) : null,
    ];
  }

  const legend = () => node("p.soft", null, "In differences grey to white: by how much they differ in what is shown, by 1 to by 255; " +
    "red: only in alpha, stencil or low bits of depth.");

  // ----------------------------------------------------------------------------------------------------------- rules
  // The Markdown that docs/spec uses: paragraphs, items, tables, `code`, **bold**.
  function inline(text) {
    return text.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map(piece => {
      if (/^`.*`$/.test(piece))
        return node("code", null, piece.slice(1, -1));
      if (/^\*\*.*\*\*$/.test(piece))
        return node("b", null, ...inline(piece.slice(2, -2)));
      return piece.replace(/\\([|*])/g, "$1");
    });
  }

  function cells(line) { // bars in `code` and behind \ are text
    return (line.replace(/^\|/, "").match(/(`[^`]*`|\\.|[^|])*\|?/g) || []).map(c => c.replace(/\|$/, "").trim())
      .filter((cell, i, all) => cell !== "" || i < all.length - 1);
  }

  function rule(markdown) {
    const out = node("div.rule");
    let block = null;
    for (const line of markdown.split("\n").map(l => l.trim())) {
      const kind = line === "" ? "" : line[0] === "|" ? "TABLE" : "P";
      const begins = line.startsWith("- ") || block === null || block.tagName !== kind;
      if (kind === "" || /^\|\s*:?-/.test(line)) {
        block = kind === "" ? null : block;
        continue;
      }
      if (begins)
        out.append(block = node(kind.toLowerCase()));
      block.append(...(kind === "TABLE" ? [node("tr", null, cells(line).map(c => node("td", null, ...inline(c))))]
        : inline((begins ? "" : "\n") + line.replace(/^- /, ""))));
    }
    return out;
  }

  // -------------------------------------------------------------------------------------------------------- findings
  const ruleOf = ({ location }) => location?.rule || (location?.rules ?? "") + (location?.inferred ? " (inferred)" : "");
  const words = { finding: "bad", accepted: "known", clear: "fine" };
  const agrees = finding => finding.verdict.startsWith("agree"); // perhaps only what was compared: "agree (memory)"
  const anchorOf = ({ bucket, state }) => bucket + (state === "accepted" ? "-accepted" : "");

  function verdict(finding) {
    return node("span." + words[finding.state], null, finding.verdict + (finding.accepted ? ", " + finding.accepted : ""));
  }

  function thumbnails(bucket) {
    const shown = bucket.findings.find(f => f.pictures);
    const picture = shown?.pictures[0];
    return shown ? link(shown.page, ["first", "second", "difference"].map(side =>
      node("img", { src: shown.name + "/" + picture[side], alt: side, loading: "lazy" }))) : null;
  }

  function bucketItem(bucket) {
    const one = bucket.findings[0];
    return node("details.item", { id: anchorOf(bucket) },
      node("summary", null, node("span.title", null, bucket.title, " ", node("code.soft", null, bucket.bucket)), verdict(one),
        node("span.soft", null, one.location?.stage), node("span.soft", null, ruleOf(one)),
        node("span", { title: bucket.found + " found, " + bucket.kept + " kept" }, bucket.found + "\u00D7"),
        node("span.small", null, thumbnails(bucket))),
      node("p", null, bucket.key), bucket.first_seen ? node("p.soft", null, "first seen " + bucket.first_seen) : null,
      table(["finding", "verdict", "stage", "rule", "register writes", "bytes"], bucket.findings.map(f =>
        [link(f.page, f.name), verdict(f), f.location?.stage ?? "", f.location?.rule ? link(f.page + "#" + f.location.rule, f.location.rule) : ruleOf(f),
          f.register_writes, f.bytes])));
  }

  function health(clear) {
    const byVerdict = {};
    clear.forEach(f => (byVerdict[f.verdict] ??= []).push(f));
    return clear.length === 0 ? null : fold(count(clear.length, "case") + " without a finding", () =>
      Object.entries(byVerdict).map(([word, all]) => fold(all.length + " " + word, () =>
        node("ul", null, all.map(f => node("li", null, link(f.page, f.name), agrees(f) ? null : ": " + f.message))))));
  }

  function findings() {
    const of = state => facts.findings.filter(f => f.state === state);
    const buckets = facts.buckets.map(bucket => ({ ...bucket, findings: facts.findings.filter(f => f.bucket === bucket.bucket && f.state === bucket.state) }));
    const open = new Set(of("finding").map(f => f.bucket)).size;
    const clear = of("clear"), untested = clear.filter(f => f.verdict === "not tested").length;
    const accepted = (a, b) => (a.state === "accepted") - (b.state === "accepted");
    const smallest = bucket => Math.min(...bucket.findings.map(f => f.register_writes));
    show("picafuzz findings",
      node("p", null, count(facts.findings.length, "case") + ", " + of("finding").length + " with a finding in " + count(open, "bucket") +
        (of("accepted").length ? ", " + of("accepted").length + " with one that is accepted" : "") +
        (untested ? ", " + untested + " not tested" : "") + ". ",
        link("index.json", "JSON"), ", ", link("junit.xml", "JUnit XML"), ", ", link("findings.sarif", "SARIF")),
      list({
        items: buckets,
        selects: [{ label: "state", of: b => b.state }, { label: "verdict", of: b => b.findings[0].verdict }, { label: "stage", of: b => b.findings[0].location?.stage ?? "" },
          { label: "rule", of: b => ruleOf(b.findings[0]) }],
        sorts: { "most found first": (a, b) => accepted(a, b) || b.found - a.found,
          "smallest first": (a, b) => accepted(a, b) || smallest(a) - smallest(b),
          "newest first": (a, b) => accepted(a, b) || (b.first_seen ?? "").localeCompare(a.first_seen ?? ""),
          "by name": (a, b) => a.bucket.localeCompare(b.bucket) },
        render: bucketItem, nothing: "No findings.",
      }),
      health(clear), (facts.hunts ?? []).map(hunt));
  }

  // What a hunt ran, and what it cannot see.
  function hunt(h) {
    const blind = h.never_compared;
    return node("section.hunt", null, heading("The hunt of " + h.directory),
      factTable([["cases", String(h.cases)],
        ["findings", h.findings + " filed" + (h.waiting ? ", " + h.waiting + " more wait for their reduction" : "")],
        ["compared", h.compared], ["time of cases", h.time]]),
      node("h3", null, "What it never compares"),
      blind.length === 0 ? node("p", null, "Nothing is left out, and every case was tested.")
        : table(["what", "cases", "why"], blind.map(b =>
          [facts.buckets.some(({ bucket }) => bucket === b.what) ? link("#" + b.what, b.what) : b.what, b.cases ?? "", b.why])),
      h.coverage ? [node("h3", null, "What its cases exercise"),
        node("p.soft", null, "Of its first " + count(h.coverage.cases, "case") + ", as they were made, before anything is forced or avoided."),
        areaTable(Object.entries(h.coverage.areas), name => name), areaLegend()] : null);
  }

  function memory({ names, lines }) {
    const bytes = (mine, other) => mine.flatMap((byte, i) => [i === 0 ? "" : i % 4 === 0 ? "  " : " ",
      byte === other[i] ? byte : node("b.bad", null, byte)]);
    const text = lines.flatMap(({ address, first, second }) =>
      [address + "  ", ...bytes(first, second), "    ", ...bytes(second, first), "\n"]);
    return node("pre", null, " ".repeat(12) + names[0].padEnd(50) + "    " + names[1] + "\n", text);
  }

  function listing(lines) {
    return node("pre", null, lines.map(line => line.guilty ? node("mark", { id: "guilty" }, line.text) : line.text + "\n"));
  }

  function finding() {
    const names = [facts.location?.first_backend, facts.location?.second_backend];
    show(facts.headline,
      node("p", null, link("../index.html" + (facts.state === "clear" ? "" : "#" + anchorOf(facts)), "\u2190 all findings")),
      factTable([["verdict", verdict(facts)], ["bucket", facts.bucket + ": " + facts.key], ["first seen", facts.first_seen], ["case", facts.case],
        ["size", count(facts.operations, "operation") + ", " + count(facts.register_writes, "register write") + ", " + count(facts.bytes, "byte")],
        ["backends", facts.location ? names.join(" and ") : ""]]),
      facts.pictures ? [facts.pictures.map(p => comparison(p, names)), legend()] : "",
      facts.place ? [heading("Where the two first differ"), pre(facts.place)] : facts.message ? [heading("What happened"), pre(facts.message)] : "",
      facts.rules.map(r => [node("h2", { id: r.id }, "Rule " + r.id + ", " + r.role), rule(r.text), node("p.soft", null, "from docs/spec/" + r.file)]),
      facts.place && facts.message ? [heading("What differs after that operation"), pre(facts.message)] : "",
      facts.memory ? memory(facts.memory) : "",
      heading("The case"),
      node("p", null, link("case.pcase", "case.pcase"), ", to run where this report was made with ", node("code", null, facts.command),
        ", to look inside of with ", node("code", null, facts.command.replace("picafuzz diff", "picafuzz explore -o frame")), ". ",
        facts.listing.some(l => l.guilty) ? ["The ", link("#guilty", "line"), " at which it shows is marked."] : ""),
      listing(facts.listing));
  }

  // --------------------------------------------------------------------------------------------------------- regress
  function changed(entry) {
    return node("details.item", { open: true },
      node("summary", null, node("span.title", null, entry.case), node("span." + (entry.accepted ? "known" : "bad"), null,
        entry.verdict + (entry.accepted ? ", accepted by the baseline" : ""))),
      pre(entry.place), (entry.pictures ?? []).map(p => comparison(p, ["before", "after"])),
      entry.verdict === "diverge" && !entry.pictures ? node("p", null, "No picture shows it.") : "",
      entry.place ? fold("What differs after that operation", () => pre(entry.message)) : pre(entry.message));
  }

  function regress() {
    const isClear = entry => ["agree", "vacuous", "not tested"].includes(entry.verdict);
    const loud = facts.cases.filter(c => !isClear(c));
    show("picafuzz: what changed",
      node("p", null, facts.totals + ". ", link("index.json", "JSON"), ", ", link("findings.sarif", "SARIF")),
      factTable([["before", facts.before], ["after", facts.after], ["compared", facts.compared ?? "everything"]]),
      list({ items: loud, selects: [{ label: "verdict", of: c => c.verdict }], render: changed,
        nothing: "Nothing changed." }),
      loud.some(c => c.pictures) ? legend() : "",
      ["agree", "vacuous", "not tested"].map(word => {
        const all = facts.cases.filter(c => c.verdict === word);
        return all.length === 0 ? "" : fold(all.length + " " + word, () =>
          node("ul", null, all.map(c => node("li", null, c.case + (word === "agree" ? "" : ": " + c.message)))));
      }));
  }

  // ----------------------------------------------------------------------------------------------------------- score
  const results = ["passed", "acceptable", "failed", "not tested", "crashed", "hung", "trouble"];
  const isBad = result => ["failed", "crashed", "hung", "trouble"].includes(result);

  function scoreTable(title, rows) {
    const all = Object.entries(rows).filter(([, row]) => row.cases !== 0);
    const told = results.filter(r => all.some(([, row]) => row[r] !== 0));
    return table([title, "", "cases", ...told], all.map(([name, row]) =>
      [row.says ? node("span", null, name + " ", node("span.soft", null, row.says)) : name,
        share([["good", row.passed], ["fair", row.acceptable], ["wrong", row.failed + row.crashed + row.hung]], row.cases),
        row.cases, ...told.map(r => row[r])]));
  }

  function scoredCase(item) {
    return node("div.item", null, node("div.bar", null, node("span." + (isBad(item.result) && !item.known ? "bad" : "known"), null,
      item.result + (item.known ? " (known)" : "")), node("code", null, item.case),
      node("span.soft", null, item.rules + "; " + item.provenance + (item.provenance === "hw" ? " " + item.evidence : ""))),
      item.note || item.side ? node("p", null, item.note ?? item.side) : "");
  }

  function score() {
    const order = Object.keys(facts.provenances);
    const of = wanted => facts.cases.filter(wanted).sort((a, b) => order.indexOf(a.provenance) - order.indexOf(b.provenance));
    show("picafuzz score: " + facts.backend,
      [["measured", "measured on consoles"], ["documented", "documented"], ["chosen", "chosen by us or by emulators"]].map(([name, says]) =>
        node("p.score", null, facts[name].score + " of " + facts[name].of + " ", node("span.soft", null, says))),
      node("p", null, facts.score + " of " + facts.of + " that were tested; " + facts["not tested"] + " not tested; pack " + facts.pack +
        (facts.compared ? "; compared: " + facts.compared : "")),
      scoreTable("provenance", facts.provenances), scoreTable("area", facts.areas),
      node("p.soft", null, "Green: as the specification says, or as a console left it. Light green: as a machine with its sides of " +
        "known choices leaves it, which is acceptable. Red: failed, crashed, hung. Grey: not tested."),
      heading("Cases that did not simply pass"),
      list({ items: of(c => isBad(c.result)), selects: ["result", "provenance", "area"].map(label => ({ label, of: c => c[label] })),
        render: scoredCase, nothing: "None failed." }),
      ["acceptable", "not tested"].map(result => [result, of(c => c.result === result)]).map(([result, cases]) =>
        cases.length === 0 ? "" : fold(cases.length + " " + result, () => cases.map(scoredCase))));
  }

  // -------------------------------------------------------------------------------------------------------- coverage
  // The names of one fold begin with the same subject: up to the first dot, blank or colon.
  function missing(name, area) {
    const subjects = new Map();
    area.missing.forEach(item => {
      const subject = item.name.match(/^[^. :]*/)[0];
      subjects.set(subject, [...(subjects.get(subject) ?? []), item]);
    });
    return [node("h2", { id: name }, name + ": " + area.missing.length + " missing"),
      [...subjects].map(([subject, items]) => fold(subject, () =>
        items.map(item => [node("code" + (item.seen ? ".known" : ""), null, item.name), " "])))];
  }

  function areaTable(areas, shown) {
    return table(["area", "total", "seen", "with effect", "%", ""], areas.map(([name, a]) => [shown(name), a.total, a.seen, a.effect,
      node("span", null, a.percent.toFixed(2)), share([["good", a.effect], ["half", a.seen - a.effect]], a.total)]));
  }

  const areaLegend = () => node("p.soft", null, "Green: with effect. Yellow: seen, without effect so far.");

  function coverage() {
    const areas = Object.entries(facts.areas);
    show("Semantic coverage", node("p", null, count(facts.cases, "case") + " on the reference backend."),
      areaTable(areas, name => link("#" + name, name)), areaLegend(),
      areas.map(([name, a]) => missing(name, a)));
  }

  const views = { findings, finding, regress, score, coverage };
  views[document.body.dataset.view]();
  follow();
  window.addEventListener("hashchange", follow);
})();
