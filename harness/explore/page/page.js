// The page of `picafuzz explore`. Data files call explore.take(name, base64 of a zlib stream); all text is put in as
// text, never as markup.
"use strict";
const explore = (() => {
  const TILE = 32, GAP = 4; // pixels
  const END = ["", "ended by the alpha test", "ended by the stencil test", "ended by the depth test"];
  const byId = id => document.getElementById(id);
  let data = null;
  const state = { moment: 0, surface: 0, side: "left", zoom: 2, tab: "registers", pixel: null, vertex: 0 };

  // ---------------------------------------------------------------------------------------------------- data files
  const waiting = new Map(), loaded = new Map();

  function complain(text) { byId("message").textContent = text; }

  async function inflate(base64) {
    const packed = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Called by every data file.
  function take(name, base64) {
    if (typeof DecompressionStream === "undefined") {
      complain("This browser is too old: it has no DecompressionStream.");
      return;
    }
    const bytes = inflate(base64);
    if (name === "data")
      bytes.then(b => begin(JSON.parse(new TextDecoder().decode(b))))
        .catch(e => complain("data.js cannot be read: " + e.message));
    else if (waiting.has(name))
      bytes.then(waiting.get(name).resolve, waiting.get(name).reject);
  }

  // The bytes of a data file; the last 24 are kept.
  function load(name) {
    if (loaded.has(name))
      return loaded.get(name);
    const promise = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      waiting.set(name, { resolve, reject });
      script.src = name + ".js";
      script.onload = () => { script.remove(); setTimeout(() => waiting.delete(name), 60000); };
      script.onerror = () => reject(new Error(name + ".js is missing: the page needs all files of its directory"));
      document.head.append(script);
    });
    loaded.set(name, promise);
    if (loaded.size > 24)
      loaded.delete(loaded.keys().next().value);
    return promise;
  }

  // ------------------------------------------------------------------------------------------------------- helpers
  function node(tag, text, attributes) {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null)
      element.textContent = text;
    for (const [key, value] of Object.entries(attributes || {}))
      key === "class" ? element.className = value : element.setAttribute(key, value);
    return element;
  }

  function hex(value, digits) { return "0x" + (value >>> 0).toString(16).toUpperCase().padStart(digits, "0"); }

  function reader(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    return {
      left: () => bytes.length - at,
      u8: () => bytes[at++],
      u16: () => { at += 2; return view.getUint16(at - 2, true); },
      u32: () => { at += 4; return view.getUint32(at - 4, true); },
      bytes: n => { at += n; return bytes.subarray(at - n, at); },
    };
  }

  // ------------------------------------------------------------------------------------------------------- moments
  // rows[m] = { operation, draw } of each moment.
  let rows = [], differing = new Set();

  function makeRows() {
    rows = new Array(data.moments);
    rows[0] = { text: "before all", kind: "operation" };
    data.operations.forEach((operation, index) => {
      rows[operation.moment] = { operation: index, text: "operation " + operation.operation + ": " + operation.text,
        kind: "operation" };
    });
    data.draws.forEach((draw, index) => {
      const pixels = draw.pixels === undefined ? "" : ", " + draw.pixels + (draw.pixels === 1 ? " pixel" : " pixels");
      rows[draw.moment] = { draw: index, text: "draw " + index + ": " + draw.trigger + pixels, kind: "draw",
        pixels: draw.pixels };
    });
    differing = new Set(data.differing);
  }

  // An operation stands above its draws, though its moment is after them.
  function order() {
    const out = [0];
    let next = 1;
    for (const operation of data.operations) {
      out.push(operation.moment);
      for (; next < operation.moment; next++)
        out.push(next);
      next = operation.moment + 1;
    }
    return out;
  }

  let shown = [];      // moments in the list
  let reached = null;  // moments that reached the pixel

  function fillList() {
    const filter = byId("filter").value;
    const isShown = m => m === state.moment || rows[m].kind === "operation" || filter === "all" ||
      (filter === "pixels" && rows[m].pixels !== 0) || (filter === "differing" && differing.has(m)) ||
      (filter === "pixel" && (reached === null || reached.has(m)));
    shown = order().filter(isShown);
    const items = shown.map(m => {
      const item = node("li", rows[m].text, { role: "option", "data-moment": m, id: "moment-" + m, title: rows[m].text });
      item.className = rows[m].kind + (differing.has(m) ? " differs" : "") + (rows[m].pixels === 0 ? " empty" : "");
      return item;
    });
    byId("list").replaceChildren(...items);
    markList();
  }

  function markList() {
    const old = byId("list").querySelector("[aria-selected=true]");
    if (old)
      old.removeAttribute("aria-selected");
    const item = byId("moment-" + state.moment);
    if (!item)
      return;
    item.setAttribute("aria-selected", "true");
    byId("list").setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  }

  function select(moment) {
    state.moment = moment;
    if (!byId("moment-" + moment))
      fillList();
    markList();
    followSurface();
    show();
  }

  // A draw shows a buffer of its own.
  function followSurface() {
    const row = rows[state.moment];
    if (row.draw === undefined)
      return;
    const draw = data.draws[row.draw];
    if (draw.color !== state.surface && draw.depth !== state.surface && Math.max(draw.color, draw.depth) >= 0)
      setSurface(draw.color >= 0 ? draw.color : draw.depth);
  }

  function move(by) {
    const at = shown.indexOf(state.moment);
    select(shown[Math.max(0, Math.min(shown.length - 1, at + by))]);
  }

  function moveToDifference(by) {
    const all = order();
    for (let i = all.indexOf(state.moment) + by; i >= 0 && i < all.length; i += by)
      if (differing.has(all[i]))
        return select(all[i]);
  }

  // ------------------------------------------------------------------------------------------------------- buffers
  // What the right side showed last: it may have pictures after operations only.
  function bufferMoment(side, moment) {
    if (side === 0 || data.sides.length < 2 || data.right_has_draws)
      return moment;
    let last = 0;
    for (const operation of data.operations)
      if (operation.moment <= moment)
        last = operation.moment;
    return last;
  }

  // The stored pixels of a buffer at a moment. The right side lacks moments at which both sides look the same.
  async function stored(side, surface, wanted) {
    const moment = bufferMoment(side, wanted), stored = differing.has(moment) ? side : 0;
    const { width, height, bytes } = data.surfaces[surface];
    const pixels = new Uint8Array(width * height * bytes);
    const read = reader(await load("buffers/" + stored + "-" + Math.floor(moment / data.chunk)));
    while (read.left() > 0) {
      if (read.u32() > moment)
        break;
      for (let count = read.u32(); count > 0; count--) {
        const index = read.u16(), x = read.u16(), y = read.u16(), w = read.u16(), h = read.u16();
        const size = data.surfaces[index].bytes;
        const rectangle = read.bytes(w * h * size);
        for (let line = 0; index === surface && line < h; line++)
          pixels.set(rectangle.subarray(line * w * size, (line + 1) * w * size), ((y + line) * width + x) * size);
      }
    }
    return pixels;
  }

  // Channels of a stored pixel by format, as docs/spec has them (FBF-10 to FBF-14).
  const five = v => (v << 3) | (v >> 2), six = v => (v << 2) | (v >> 4);
  const isDepth = code => code >= 6;
  const decoders = [
    b => [b >>> 24, b >> 16 & 255, b >> 8 & 255, b & 255],
    b => [b >> 16 & 255, b >> 8 & 255, b & 255, 255],
    b => [five(b >> 11 & 31), five(b >> 6 & 31), five(b >> 1 & 31), (b & 1) * 255],
    b => [five(b >> 11 & 31), six(b >> 5 & 63), five(b & 31), 255],
    b => [(b >> 12 & 15) * 17, (b >> 8 & 15) * 17, (b >> 4 & 15) * 17, (b & 15) * 17],
    () => [0, 0, 0, 0],
    b => [b, 0, 0, 0],
    b => [b & 0xFFFFFF, 0, 0, 0],
    b => [b & 0xFFFFFF, 0, 0, b >>> 24],
  ];

  function bitsAt(pixels, index, size) {
    let bits = 0;
    for (let i = 0; i < size; i++)
      bits |= pixels[index * size + i] << (8 * i);
    return bits >>> 0;
  }

  function describe(surface, bits) {
    const { code, bytes } = data.surfaces[surface];
    const c = decoders[code](bits), text = hex(bits, 2 * bytes);
    if (!isDepth(code))
      return text + " (" + c.join(" ") + ")";
    return code === 8 ? text + " (depth " + hex(c[0], 6) + ", stencil " + hex(c[3], 2) + ")" : text;
  }

  function channels() {
    const code = data.surfaces[state.surface].code;
    return isDepth(code) ? (code === 8 ? ["depth", "stencil"] : ["depth"]) : ["colour", "colour and alpha", "alpha"];
  }

  // Grey levels of a channel; stretched: from the least to the greatest value there is.
  function greys(values, most) {
    let low = 0, high = most;
    if (byId("stretch").checked) {
      low = values.reduce((a, b) => Math.min(a, b), most);
      high = values.reduce((a, b) => Math.max(a, b), 0);
    }
    const span = Math.max(1, high - low);
    return values.map(v => Math.round((v - low) * 255 / span));
  }

  // Pictures side by side, or one.
  function paint(pictures) {
    const { width, height } = data.surfaces[state.surface], canvas = byId("canvas");
    canvas.width = width * pictures.length + GAP * (pictures.length - 1);
    canvas.height = height;
    canvas.style.width = canvas.width * state.zoom + "px";
    const context = canvas.getContext("2d");
    pictures.forEach((picture, i) => {
      context.putImageData(picture, i * (width + GAP), 0);
      drawCross(context, i * (width + GAP), height);
    });
  }

  // Stored pixels as a picture; with `other`: what differs from that.
  function picture(pixels, other) {
    const { width, height, bytes, code } = data.surfaces[state.surface], channel = byId("channel").value;
    const image = new ImageData(width, height), out = image.data;
    const decode = decoders[code], single = channel === "alpha" || channel === "depth" || channel === "stencil";
    const part = channel === "depth" ? 0 : 3;
    const most = channel === "depth" ? (code === 6 ? 0xFFFF : 0xFFFFFF) : 255;
    const values = single ? greys(Array.from({ length: width * height },
      (_, i) => decode(bitsAt(pixels, i, bytes))[part]), most) : null;
    for (let i = 0; i < width * height; i++) {
      const c = single ? [values[i], values[i], values[i], 255] : decode(bitsAt(pixels, i, bytes));
      const differs = other && bitsAt(pixels, i, bytes) !== bitsAt(other, i, bytes);
      const dim = other ? 0.35 : 1;
      out.set(differs ? [255, 0, 60, 255] : [c[0] * dim, c[1] * dim, c[2] * dim,
        channel === "colour and alpha" ? c[3] : 255], 4 * i);
    }
    return image;
  }

  function drawCross(context, left, height) {
    if (!state.pixel)
      return;
    const x = left + state.pixel.x, y = height - 1 - state.pixel.y;
    context.fillStyle = "#ff00ff";
    for (const [dx, dy] of [[-3, 0], [-2, 0], [2, 0], [3, 0], [0, -3], [0, -2], [0, 2], [0, 3]])
      context.fillRect(x + dx, y + dy, 1, 1);
  }

  // ------------------------------------------------------------------------------------------------------- history
  const tiles = new Map();

  async function tile(name) {
    if (!tiles.has(name)) {
      if (tiles.size >= 16)
        tiles.delete(tiles.keys().next().value);
      tiles.set(name, load(name).then(parseTile));
    }
    return tiles.get(name);
  }

  function parseTile(bytes) {
    const read = reader(bytes), count = read.u32();
    const column = f => Array.from({ length: count }, f);
    const moment = column(read.u32), triangle = column(read.u32), place = column(read.u16), flags = column(read.u8);
    const color = column(read.u32), depth = column(read.u32);
    const fragments = moment.map((m, i) => ({ moment: m, triangle: triangle[i], place: place[i], flags: flags[i],
      color: flags[i] & 8 ? { after: color[i] } : null, depth: flags[i] & 16 ? { after: depth[i] } : null }));
    before(fragments, "color", 32, read);
    before(fragments, "depth", 64, read);
    for (const fragment of fragments)
      if (fragment.flags & 128)
        fragment.steps = new TextDecoder().decode(read.bytes(read.u32()));
    const changes = [];
    for (let n = read.u32(); n > 0; n--)
      changes.push({ moment: read.u32(), surface: read.u16(), place: read.u16(), before: read.u32(), after: read.u32() });
    return { fragments, changes };
  }

  // What a fragment found: given, or what the one before it at that place left.
  function before(fragments, buffer, flag, read) {
    const last = new Array(TILE * TILE);
    for (const fragment of fragments) {
      if (!fragment[buffer])
        continue;
      fragment[buffer].before = fragment.flags & flag ? read.u32() : last[fragment.place];
      last[fragment.place] = fragment[buffer].after;
    }
  }

  // All that reached a pixel of a buffer, in order.
  async function history(surface, x, y) {
    const name = "tiles/" + (x >> 5) + "-" + (y >> 5), place = (y % TILE) * TILE + x % TILE;
    if (!data.tiles.includes(name))
      return [];
    const { fragments, changes } = await tile(name);
    const out = [];
    for (const fragment of fragments) {
      const draw = data.draws[rows[fragment.moment].draw];
      if (fragment.place === place && (draw.color === surface || draw.depth === surface))
        out.push({ moment: fragment.moment, fragment, draw });
    }
    for (const change of changes)
      if (change.place === place && change.surface === surface)
        out.push({ moment: change.moment, change });
    return out.sort((a, b) => a.moment - b.moment);
  }

  function swatch(surface, bits) {
    const { code } = data.surfaces[surface];
    const c = decoders[code](bits), grey = code === 6 ? c[0] >> 8 : c[0] >> 16;
    const span = node("span", "", { class: "swatch" });
    span.style.background = isDepth(code) ? "rgb(" + [grey, grey, grey] + ")" : "rgb(" + c.slice(0, 3) + ")";
    return span;
  }

  function changeLine(label, surface, before, after) {
    const line = node("div");
    line.append(label + " ", swatch(surface, before), describe(surface, before));
    if (before !== after)
      line.append(" \u2192 ", swatch(surface, after), describe(surface, after));
    else
      line.append(node("span", ", unchanged", { class: "soft" }));
    return line;
  }

  function jump(moment, text) {
    const button = node("button", text, { type: "button", class: "link" });
    button.onclick = () => select(moment);
    return button;
  }

  function historyRow(entry, surface) {
    const row = node("tr", null, { "data-moment": entry.moment }), cell = node("td");
    if (entry.change) {
      cell.append(jump(entry.moment, rows[entry.moment].text),
        changeLine("", surface, entry.change.before, entry.change.after));
    } else {
      const { fragment, draw } = entry, end = fragment.flags & 3;
      cell.append(jump(entry.moment, "draw " + rows[entry.moment].draw), ", triangle " + fragment.triangle + ": ",
        node("span", END[end] || (fragment.flags & 4 ? "written" : "passed, and wrote nothing"),
          { class: end ? "bad" : "fine" }));
      if (fragment.color && draw.color >= 0)
        cell.append(changeLine("colour", draw.color, fragment.color.before, fragment.color.after));
      if (fragment.depth && draw.depth >= 0)
        cell.append(changeLine("depth", draw.depth, fragment.depth.before, fragment.depth.after));
      if (fragment.steps)
        cell.append(stepsOf(fragment.steps));
    }
    row.append(cell);
    return row;
  }

  function stepsOf(text) {
    const details = node("details"), pre = node("pre", text);
    details.append(node("summary", "each stage's value"), pre);
    return details;
  }

  async function showHistory() {
    const { pixel, surface } = state, place = byId("history");
    if (!pixel) {
      byId("value").textContent = "Click a pixel.";
      place.replaceChildren();
      return;
    }
    const entries = await history(surface, pixel.x, pixel.y);
    reached = new Set(entries.map(e => e.moment));
    if (byId("filter").value === "pixel")
      fillList();
    const upTo = entries.filter(e => e.moment <= state.moment).length;
    const head = node("h2", "Pixel (" + pixel.x + ", " + pixel.y + "), y up: " + (entries.length === 0 ?
      "nothing reached it" : entries.length + (entries.length === 1 ? " entry" : " entries")), { id: "history-head" });
    const table = node("table", null, { id: "history-table" });
    entries.forEach((entry, i) => {
      if (i === upTo && i > 0) {
        const line = node("tr", null, { class: "soft" });
        line.append(node("td", "later than the moment that is shown:"));
        table.append(line);
      }
      const row = historyRow(entry, surface);
      if (entry.moment > state.moment)
        row.className = "soft";
      table.append(row);
    });
    place.replaceChildren(head, table);
    if (data.cut)
      place.append(node("p", "There were more fragments than were kept: what is above may lack the last ones.",
        { class: "bad" }));
    if (entries.some(e => e.fragment && !e.fragment.steps))
      place.append(node("p", "Each stage's value: picafuzz explore --pixel " + pixel.x + "," + pixel.y +
        " again, or picafuzz run --pixel " + pixel.x + "," + pixel.y + ".", { class: "soft" }));
  }

  async function showValue() {
    const { pixel, surface, moment } = state;
    if (!pixel)
      return;
    const { width, height, bytes } = data.surfaces[surface], index = (height - 1 - pixel.y) * width + pixel.x;
    const values = [];
    for (let side = 0; side < data.sides.length; side++)
      values.push(data.sides[side] + ": " + describe(surface, bitsAt(await stored(side, surface, moment), index, bytes)));
    if (bufferMoment(1, moment) !== moment)
      values.push(data.sides[1] + " is shown as it was before this operation: it can be read after operations only");
    byId("value").textContent = "(" + pixel.x + ", " + pixel.y + ") " + values.join("   ");
    byId("value").className = values.length > 1 && values[0].split(": ")[1] !== values[1].split(": ")[1] ? "bad" : "";
  }

  // -------------------------------------------------------------------------------------------------------- panels
  async function texts(moment) {
    const bytes = await load("texts/" + Math.floor(moment / data.chunk));
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  function registerTable(list) {
    const table = node("table", null, { class: "registers" });
    for (const [id, name, value, old] of list) {
      const row = node("tr");
      row.append(node("td", hex(id, 3)), node("td", name), node("td", (old === undefined ? "" : old.trim() + " \u2192 ") +
        value.trim()));
      table.append(row);
    }
    return table;
  }

  async function registersPanel() {
    const chunk = await texts(state.moment), all = new Map();
    const moments = Object.keys(chunk).map(Number).filter(m => m <= state.moment).sort((a, b) => a - b);
    for (const m of moments)
      for (const row of chunk[m].all || chunk[m].registers)
        all.set(row[0], row.slice(0, 3));
    const changed = (chunk[state.moment] || { registers: [] }).registers;
    const filter = node("input", null, { type: "search", placeholder: "name or number", "aria-label": "filter registers" });
    const rest = node("div");
    const fill = () => {
      const wanted = filter.value.toUpperCase();
      rest.replaceChildren(registerTable([...all.values()].sort((a, b) => a[0] - b[0])
        .filter(row => row[1].includes(wanted) || hex(row[0], 3).toUpperCase().includes(wanted))));
    };
    filter.oninput = fill;
    fill();
    return [node("h2", "Changed since the moment before: " + changed.length), registerTable(changed),
      node("h2", "All that are not 0 "), filter, rest];
  }

  async function commandsPanel() {
    const entry = (await texts(state.moment))[state.moment];
    if (!entry || entry.commands.length === 0)
      return [node("p", "No command of a list since the moment before.", { class: "soft" })];
    return entry.commands.flatMap(part => [node("h2", "List at " + part.list), node("pre", part.text)]);
  }

  function imageCanvas(index) {
    const [width, height] = data.images[index];
    const canvas = node("canvas", null, { width, height, title: width + " x " + height });
    canvas.style.width = Math.max(width, Math.min(256, width * Math.floor(128 / Math.max(1, width)))) + "px";
    load("images/" + index).then(bytes => canvas.getContext("2d").putImageData(
      new ImageData(new Uint8ClampedArray(bytes), width, height), 0, 0)).catch(e => complain(e.message));
    return canvas;
  }

  async function texturesPanel() {
    const draw = data.draws[rows[state.moment].draw];
    if (!draw || draw.textures.length === 0)
      return [node("p", draw ? "No unit reads an image." : "Select a draw.", { class: "soft" })];
    return draw.textures.flatMap(unit => {
      const levels = node("div", null, { class: "levels" });
      levels.append(...unit.images.map(imageCanvas));
      return [node("h2", "Unit " + unit.unit + ": " + unit.format + " at " + unit.address), node("p", unit.type + ", " +
        unit.levels + (unit.levels === 1 ? " level" : " levels") + (unit.faces === 6 ? " of six faces" : "") +
        ", as memory was after the draw", { class: "soft" }), levels];
    });
  }

  // Steps of a vertex: "VERTEX\tstage, name index: values".
  function vertexSteps(text, vertex) {
    const out = [];
    for (const line of (text || "").split("\n")) {
      const match = /^(\d+)\t(.+?), (.+?)(?: (\d+))?: (.*)$/.exec(line);
      if (match && Number(match[1]) === vertex)
        out.push({ stage: match[2], name: match[3], index: Number(match[4] || 0), values: match[5] });
    }
    return out;
  }

  function programTable(program, steps, isGeometry) {
    const results = new Map(), runs = new Map();
    for (const step of steps) {
      if (step.stage.includes("geometry") !== isGeometry)
        continue;
      if (step.name === "instruction")
        runs.set(step.index, (runs.get(step.index) || 0) + 1);
      else if (["result", "address registers", "condition code"].includes(step.name))
        results.set(step.index, step.values);
    }
    const table = node("table");
    for (const line of data.programs[program].split("\n").filter(l => l !== "")) {
      const [address, text] = line.split("\t"), count = runs.get(Number(address)) || 0;
      const row = node("tr", null, { class: steps.length !== 0 && count === 0 ? "soft" : "" });
      row.append(node("td", address), node("td", text), node("td", (count > 1 ? count + " times; last " : "") +
        (results.get(Number(address)) || "")));
      table.append(row);
    }
    return table;
  }

  function valuesTable(steps) {
    const table = node("table");
    for (const step of steps) {
      const row = node("tr");
      row.append(node("td", step.name + " " + step.index), node("td", step.values));
      table.append(row);
    }
    return table;
  }

  async function shaderPanel() {
    const draw = data.draws[rows[state.moment].draw];
    if (!draw)
      return [node("p", "Select a draw.", { class: "soft" })];
    const entry = (await texts(state.moment))[state.moment], text = entry.vertices || "";
    const vertices = [...new Set(text.split("\n").filter(l => l !== "").map(l => Number(l.split("\t")[0])))];
    const choice = node("select", null, { id: "vertex", "aria-label": "vertex" });
    vertices.forEach(v => choice.append(node("option", v)));
    if (!vertices.includes(state.vertex))
      state.vertex = vertices[0] || 0;
    choice.value = state.vertex;
    choice.onchange = () => { state.vertex = Number(choice.value); showPanel(); };
    const steps = vertexSteps(text, state.vertex), head = node("p");
    head.append(vertices.length ? "Values of vertex " : "No vertex of this draw was kept (--vertices).");
    if (vertices.length)
      head.append(choice);
    const out = [head, node("h2", "Attributes"), valuesTable(steps.filter(s => s.stage === "fetch")),
      node("h2", "Vertex shader"), programTable(draw.vertex_shader, steps, false)];
    if (draw.geometry_shader !== undefined)
      out.push(node("h2", "Geometry shader"), programTable(draw.geometry_shader, steps, true));
    out.push(node("h2", "Outputs"), valuesTable(steps.filter(s =>
      ["output", "emitted vertex", "slot"].includes(s.name))));
    return out;
  }

  async function differencePanel() {
    if (!data.location)
      return [node("p", data.sides.length === 2 ? "The two sides agree." : "There is one side only.", { class: "soft" })];
    const button = node("button", "show it", { type: "button" });
    button.onclick = showMark;
    return [node("pre", data.location), button];
  }

  const panels = { registers: registersPanel, commands: commandsPanel, textures: texturesPanel, shader: shaderPanel,
    difference: differencePanel };

  async function showPanel() {
    const tab = state.tab, moment = state.moment;
    for (const name of Object.keys(panels))
      byId("tab-" + name).setAttribute("aria-selected", String(name === tab));
    try {
      const content = await panels[tab]();
      if (tab === state.tab && moment === state.moment)
        byId("panel").replaceChildren(...content);
    } catch (error) {
      complain(error.message);
    }
  }

  // ------------------------------------------------------------------------------------------------------ together
  function setSurface(surface) {
    state.surface = surface;
    byId("surface").value = surface;
    const chosen = byId("channel").value, names = channels();
    byId("channel").replaceChildren(...names.map(name => node("option", name)));
    if (names.includes(chosen))
      byId("channel").value = chosen;
    const { width, height } = data.surfaces[surface];
    if (state.pixel && (state.pixel.x >= width || state.pixel.y >= height))
      state.pixel = null;
  }

  async function showPicture() {
    const { moment, surface, side } = state;
    if (data.surfaces.length === 0)
      return;
    const sides = await Promise.all(data.sides.map((_, i) => stored(i, surface, moment)));
    if (moment !== state.moment || surface !== state.surface || side !== state.side)
      return;
    if (side === "difference")
      paint([picture(sides[0], sides[1])]);
    else if (side === "both")
      paint(sides.map(pixels => picture(pixels, null)));
    else
      paint([picture(sides[side === "right" ? 1 : 0], null)]);
  }

  function keepHash() {
    const pixel = state.pixel ? "&p=" + state.pixel.x + "," + state.pixel.y : "";
    history_replace("#m=" + state.moment + "&s=" + state.surface + pixel + "&t=" + state.tab);
  }

  function history_replace(hash) {
    try {
      window.history.replaceState(null, "", hash);
    } catch (error) {
      // Some browsers forbid it for files: links to a moment are a convenience.
    }
  }

  async function show() {
    complain("");
    keepHash();
    try {
      await Promise.all([showPicture(), showPanel(), showHistory(), showValue()]);
      document.body.setAttribute("data-shown", state.moment);
    } catch (error) {
      complain(error.message);
    }
  }

  function setPixel(x, y) {
    const { width, height } = data.surfaces[state.surface];
    state.pixel = { x: Math.max(0, Math.min(width - 1, x)), y: Math.max(0, Math.min(height - 1, y)) };
    show();
  }

  function showMark() {
    if (data.mark.surface >= 0)
      setSurface(data.mark.surface);
    if (data.mark.x !== undefined)
      state.pixel = { x: data.mark.x, y: data.mark.y };
    state.side = byId("side").value = "both";
    select(data.mark.moment);
  }

  function options(id, list) {
    byId(id).replaceChildren(...list.map(([value, text]) => node("option", text, { value })));
  }

  function readHash() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const moment = Number(wanted.get("m")), surface = Number(wanted.get("s"));
    if (surface >= 0 && surface < data.surfaces.length)
      setSurface(surface);
    if (wanted.get("t") in panels)
      state.tab = wanted.get("t");
    const pixel = /^(\d+),(\d+)$/.exec(wanted.get("p") || "");
    if (pixel && data.surfaces.length !== 0) {
      const { width, height } = data.surfaces[state.surface];
      if (Number(pixel[1]) < width && Number(pixel[2]) < height)
        state.pixel = { x: Number(pixel[1]), y: Number(pixel[2]) };
    }
    return Number.isInteger(moment) && moment >= 0 && moment < data.moments ? moment : 0;
  }

  function key(event) {
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey)
      return;
    const onPicture = event.target === byId("canvas");
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const shifted = { A: [-1, 0], D: [1, 0], W: [0, 1], S: [0, -1] };
    const step = (onPicture && steps[event.key]) || shifted[event.key];
    const keys = { ArrowUp: () => move(-1), ArrowDown: () => move(1), k: () => move(-1), j: () => move(1),
      PageUp: () => move(-10), PageDown: () => move(10), Home: () => move(-1e9), End: () => move(1e9),
      n: () => moveToDifference(1), p: () => moveToDifference(-1), l: () => setSide("left"), r: () => setSide("right"),
      b: () => setSide("both"), d: () => setSide("difference"), "+": () => setZoom(state.zoom * 2), "-": () => setZoom(state.zoom / 2),
      "?": toggleHelp };
    if (step && data.surfaces.length !== 0)
      setPixel((state.pixel ? state.pixel.x : 0) + step[0], (state.pixel ? state.pixel.y : 0) + step[1]);
    else if (keys[event.key])
      keys[event.key]();
    else if (/^[1-9]$/.test(event.key) && Number(event.key) <= data.surfaces.length)
      (setSurface(Number(event.key) - 1), show());
    else
      return;
    event.preventDefault();
  }

  function setSide(side) {
    if (data.sides.length < 2)
      return;
    state.side = byId("side").value = side;
    show();
  }

  function setZoom(zoom) {
    state.zoom = Math.max(1, Math.min(16, Math.round(zoom)));
    byId("zoom").value = state.zoom;
    showPicture();
  }

  // As large as fits beside the rest.
  function fitZoom() {
    const widest = data.surfaces.reduce((most, surface) => Math.max(most, surface.width), 1) * (data.mark ? 2 : 1);
    state.zoom = [16, 8, 4, 3, 2].find(zoom => zoom * widest <= byId("picture").clientWidth - 24) || 1;
    byId("zoom").value = state.zoom;
  }

  function toggleHelp() {
    byId("help").hidden = !byId("help").hidden;
    byId("help-button").setAttribute("aria-expanded", String(!byId("help").hidden));
  }

  function listen() {
    byId("list").onclick = event => {
      const item = event.target.closest("li");
      if (item)
        select(Number(item.dataset.moment));
    };
    byId("canvas").onclick = event => {
      const canvas = byId("canvas"), box = canvas.getBoundingClientRect(), { width, height } = data.surfaces[state.surface];
      const x = Math.floor((event.clientX - box.left) * canvas.width / box.width) % (width + GAP);
      const y = Math.floor((event.clientY - box.top) * height / box.height);
      if (x < width)
        setPixel(x, height - 1 - y);
    };
    byId("surface").onchange = event => { setSurface(Number(event.target.value)); show(); };
    byId("side").onchange = event => { state.side = event.target.value; show(); };
    byId("zoom").onchange = event => setZoom(Number(event.target.value));
    byId("channel").onchange = byId("stretch").onchange = () => showPicture();
    byId("filter").onchange = fillList;
    byId("help-button").onclick = toggleHelp;
    for (const name of Object.keys(panels))
      byId("tab-" + name).onclick = () => { state.tab = name; keepHash(); showPanel(); };
    document.addEventListener("keydown", key);
  }

  function begin(read) {
    if (read.version !== 2) {
      complain("data.js has version " + read.version + ", this page reads 2: make it again with one picafuzz.");
      return;
    }
    data = read;
    makeRows();
    document.title = data.title + " - picafuzz explore";
    byId("title").textContent = data.title;
    byId("sides").textContent = data.sides.join(" and ") + ": " + data.draws.length +
      (data.draws.length === 1 ? " draw, " : " draws, ") + data.operations.length + " operations" +
      (data.sides.length === 2 ? (data.location ? ", they differ" : ", they agree") : "");
    options("surface", data.surfaces.map((s, i) => [i, (i + 1) + ": " + s.origin + " " + s.address + ", " + s.width +
      " x " + s.height + " " + s.format]));
    options("side", [["left", data.sides[0]]].concat(data.sides.length === 2 ? [["right", data.sides[1]],
      ["both", "both, side by side"], ["difference", "what differs"]] : []));
    byId("side-label").hidden = data.sides.length < 2;
    if (data.surfaces.length !== 0)
      setSurface(0);
    else
      complain("The case draws nothing: there is no buffer to show.");
    fitZoom();
    listen();
    const moment = location.hash ? readHash() : 0;
    state.moment = moment;
    fillList();
    if (data.mark && !location.hash)
      showMark();
    else
      select(moment || (location.hash ? 0 : firstDraw()));
    byId("list").focus();
  }

  // The page opens with the last draw's picture.
  function firstDraw() { return data.draws.length ? data.draws[data.draws.length - 1].moment : data.moments - 1; }

  return { take };
})();
