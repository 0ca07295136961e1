// Setting up: a new map, terrain, hexsides, counters, the objective; undone and redone; as text with its comments.
import { objectiveForm } from "./objective.js";

const PAUSE = 300; // milliseconds without a key, after which what is being written is kept

export function setupPanel(app) {
  const { html, nothing, map } = app;
  // { text, past, future }: texts of the scenario; typed: one that is being written; beside: where it lies, if its game is one's own;
  // played: { text, done }: what had been made with one of the texts, which comes back with it
  let draft = app.kept("planner.draft");
  let shipped = null, chart = null, learning = false, problems = [];
  let tool = "select", terrain = "", hexside = "", trait = "", area = "", off = false;
  let unit = { side: "", type: "", values: "", steps: "", id: "" }, placeAt = "";
  let chosen = null; // the unit that is edited
  let size = { model: "", columns: 20, rows: 10 };
  let stroke = null;
  const objective = objectiveForm(app, () => chart, (tiers, require) => edit({ do: "objective", tier: tiers, require }));

  // The more there is, the less of what came before is kept.
  function keepDraft() {
    const short = (texts, most) => (most ? texts.slice(-most) : []);
    const held = [30, 5, 0].some((most) => app.keep("planner.draft", draft && { ...draft, past: short(draft.past, most), future: short(draft.future, most) }));
    if (!held) app.say("The browser has no room to keep this draft: save it as a file.");
  }

  async function learn() {
    if (!app.state) return;
    chart = await app.server.ask("chart");
    const first = (table) => Object.keys(table)[0] ?? "";
    terrain = chart.terrain[terrain] ? terrain : first(chart.terrain);
    hexside = chart.hexsides[hexside] ? hexside : first(chart.hexsides);
    trait = chart.hex_traits[trait] ? trait : first(chart.hex_traits);
    const printed = unit.values.split(",")[0].split("-").length === chart.counter.length;
    if (!printed || !chart.sides[unit.side] || !chart.unit_types[unit.type]) {
      unit = { ...unit, side: first(chart.sides), type: first(chart.unit_types), values: chart.counter.map((name) => (name === "ma" ? 4 : 3)).join("-") };
    }
    await objective.read();
  }

  async function enter() {
    shipped ??= await app.attempt(() => app.server.once("shipped"));
    size.model ||= Object.keys(shipped?.models ?? {})[0] ?? "";
    learning = true;
    if (app.state) await app.attempt(editThis);
    else if (draft) await app.attempt(() => showText(draft.text));
    learning = false;
  }

  // Another draft takes the place of the one before, which can be had back.
  function replace(text, beside = "", played = null) {
    if (draft?.past.length || isTyped()) app.keep("planner.draft.before", draft);
    draft = { text, beside, played, past: [], future: [] };
  }

  const before = () => app.kept("planner.draft.before");
  async function backToBefore() {
    const found = before();
    replace(found.text, found.beside, found.played);
    await put(found.text, false);
    draft = found;
    keepDraft();
    app.draw();
  }

  // What is open is edited, from its beginning.
  async function editThis() {
    const { text } = await app.server.ask("source");
    const { scenario = "", beside = scenario.split("/").slice(0, -1).join("/") } = app.server.begin;
    const { done } = app.server;
    if (draft?.text !== text) replace(text, beside);
    if (done.length) draft = { ...draft, played: { text, done: [...done] } };
    keepDraft();
    await learn();
    if (done.length) app.show("What is set up is how it began: what has been made since is taken back by the first edit, and comes back when that is undone.");
  }

  async function showText(text, anew = true) {
    app.state = await app.server.open({ text, beside: draft?.beside ?? "" }, draft?.played?.text === text ? draft.played.done : []);
    await app.refresh();
    if (anew) await learn();
    app.draw();
  }

  async function put(text, remember = true, anew = true) {
    await showText(text, anew);
    if (remember && draft) draft = { ...draft, text, past: [...draft.past, draft.text], future: [], typed: null };
    else draft = { past: [], future: [], beside: "", ...draft, text };
    problems = [];
    keepDraft();
    app.draw();
  }

  // One after another: each begins with the text that the one before has left.
  let last = Promise.resolve();
  const settled = () => last.catch(() => {}); // until then what is chosen may be another game's
  const inTurn = (work) => (...said) => {
    last = last.catch(() => {}).then(() => { hold(true); return work(...said); }).finally(() => hold(false));
    return last;
  };
  function hold(on) { // meanwhile nothing is written: it would be written into a text of before
    const field = document.getElementById("toml");
    if (field) field.readOnly = on;
  }

  // What is written as text comes first: it would be lost in what an edit makes of the text before.
  const isTyped = () => (draft?.typed ?? null) !== null;
  async function typedIn() {
    if (!isTyped()) return true;
    const found = await app.server.once("edit", { text: draft.typed, edits: [], beside: draft.beside ?? "" }).catch((error) => {
      if (!error.problems?.length) throw error;
      return error; // what isn't even TOML
    });
    problems = found.problems;
    if (!problems.length) { await put(found.text); return true; }
    app.show("Not done: what is written as text has faults.", true);
    return false;
  }
  let writing = 0;
  function write(text) {
    const first = !isTyped();
    draft = { ...draft, typed: text };
    if (first) app.draw();
    clearTimeout(writing);
    writing = setTimeout(keepDraft, PAUSE);
  }
  function leaveTyped() { draft = { ...draft, typed: null }; problems = []; keepDraft(); app.draw(); }

  // What was chosen in a list and has been refused is not what is so.
  function asItIs() {
    const so = { phase: app.state?.phase, phasing: app.state?.side, face: faceOf(chosen), "side-up": app.picture?.units[chosen]?.steps };
    for (const [id, value] of Object.entries(so)) if (document.getElementById(id)) document.getElementById(id).value = value;
  }

  const edit = inTurn(async (...edits) => {
    let done = false;
    try { done = await made(edits); } finally { if (!done) asItIs(); }
    return done;
  });

  async function made(edits) {
    if (!await typedIn()) return false;
    const found = await app.server.once("edit", { text: draft.text, edits, beside: draft.beside ?? "" });
    problems = found.problems;
    if (problems.length) {
      app.show(`Not done: ${problems.map((one) => one.what).join("; ")}`, true);
      return false;
    }
    await put(found.text, true, edits.some((one) => one.do === "objective"));
    app.show("");
    return true;
  }

  const anew = inTurn(async () => {
    const { text } = await app.server.once("new", { model: size.model, columns: Number(size.columns), rows: Number(size.rows) });
    replace(text);
    tool = "terrain"; // a new map has nothing else to be touched
    map.clear();
    await put(text, false);
    app.camera.fit();
    app.say(`A new map of ${map.where.size} hexes.`);
  });
  function begin(event) { event.preventDefault(); return anew(); }

  async function turnBack(from, to) {
    if (!draft?.[from].length) return;
    if (isTyped()) return app.show("Apply what you have written as text before, or leave it.", true);
    const text = draft[from].at(-1);
    const next = { ...draft, text, [from]: draft[from].slice(0, -1), [to]: [...draft[to], draft.text] };
    await showText(text);
    draft = next;
    keepDraft();
    app.draw();
    return undefined;
  }
  const undo = inTurn(() => turnBack("past", "future")), redo = inTurn(() => turnBack("future", "past"));

  const applyText = inTurn(async () => { if (await typedIn()) app.show("Applied."); });
  const save = inTurn(async () => { if (await typedIn()) app.download("scenario.toml", draft.text); });
  const share = inTurn(async () => { if (await typedIn()) app.download("board.html", (await app.server.ask("page", { moves: [] })).html, "text/html"); });

  // -- on the map

  const edits = {
    terrain: (labels) => ({ do: "terrain", hexes: labels, terrain }),
    trait: (labels) => ({ do: "trait", hexes: labels, trait, on: !off }),
    area: (labels) => ({ do: "area", hexes: labels, area: area.trim() }),
    hexside: (pairs) => ({ do: "hexside", pairs, feature: hexside, on: !off }),
  };

  const placeOf = (event) => app.camera.at(event.clientX, event.clientY);

  async function tap(label, name, event) {
    await settled();
    if (!draft || !app.state) return;
    if (["terrain", "trait", "area"].includes(tool)) return void (label && await edit(edits[tool]([label])));
    if (tool === "hexside") { const pair = map.sideAt(...placeOf(event)); return void (pair && await edit(edits.hexside([pair]))); }
    if (tool === "unit") return place(label);
    take(name);
  }

  function take(name) {
    if (name !== chosen) document.getElementById("counter")?.reset(); // what was written there was of another counter
    chosen = name;
    map.showPicked(name ? [app.state.at[name]] : []);
    app.draw();
    if (name) app.say(`To be edited: ${app.picture.units[name].text}`);
  }

  const inHex = (label) => Object.keys(app.state.at).filter((one) => app.state.at[one] === label);

  async function place(label) {
    await settled();
    if (!label) return;
    const { id, ...rest } = unit;
    const steps = Number(rest.steps) || null;
    if (await edit({ do: "add_unit", unit: { ...(id ? { id } : {}), ...rest, steps, at: label } })) { unit.id = ""; app.draw(); app.say(`A counter stands in ${label}.`); }
  }

  function grab(name, from, event) {
    if (!draft || !app.state) return null;
    const labelAt = (at) => map.labelAt(...placeOf(at));
    if (name && tool === "select") {
      const counter = map.unit(name);
      return {
        move(at) { counter?.classList.add("grabbed"); map.showPicked([labelAt(at)].filter(Boolean)); },
        drop(at) {
          const label = labelAt(at);
          if (label && label !== from) app.attempt(() => edit({ do: "change_unit", id: name, values: { at: label } }));
        },
        cancel() { counter?.classList.remove("grabbed"); map.showPicked([]); },
      };
    }
    if (!edits[tool]) return null;
    stroke = new Map();
    const add = (at) => {
      const found = tool === "hexside" ? map.sideAt(...placeOf(at)) : labelAt(at);
      if (found) stroke.set(String(tool === "hexside" ? [...found].sort() : found), found);
      map.showPicked(tool === "hexside" ? [...stroke.values()].flat() : [...stroke.keys()]);
    };
    add(event);
    map.showPicked([]);
    return {
      move: add,
      drop() { const all = [...stroke.values()]; app.attempt(() => edit(edits[tool](all)).finally(() => map.showPicked([]))); }, // marked until it is painted
      cancel() { map.showPicked([]); },
    };
  }

  let sideFrom = null; // by keyboard a hexside is named by the hexes beside it
  async function enterHex(label) {
    await settled();
    if (!label || !draft) return;
    if (tool === "hexside") {
      if (!sideFrom) { sideFrom = label; return app.show(`${label}: now the hex on the other side.`); }
      const pair = [sideFrom, label];
      sideFrom = null;
      return void await edit(edits.hexside([pair]));
    }
    if (tool !== "select") return tap(label, null, null);
    if (chosen && app.state.at[chosen] !== label) return void await moveTo(chosen, label);
    const those = inHex(label);
    if (!those.length) return app.show(`No counter stands in ${label}.`);
    return take(those[(those.indexOf(chosen) + 1) % those.length]);
  }

  async function moveTo(name, label) {
    if (!await edit({ do: "change_unit", id: name, values: { at: label } })) return;
    map.showPicked([label]);
    app.say(`${name} stands in ${label}.`);
  }

  // -- turning counters: to the next side of their own, with a step less; or to the next side that the game's charts know, or to one of them

  const faceOf = (name) => (app.picture.units[name]?.conditions ?? []).find((one) => chart.faces[one]) ?? "";

  async function turn() {
    const all = ["", ...Object.keys(chart?.faces ?? {})], name = chosen, { sides = [], steps } = app.picture.units[name] ?? {};
    if (sides.length > 1) return void (await setSteps(name, steps > 1 ? steps - 1 : sides.length));
    if (!name || all.length < 2) return app.show(name ? "The charts of this game know no other side of a counter." : "Touch the counter that is to be turned.");
    const at = all.indexOf(faceOf(name));
    for (let step = 1; step < all.length; step += 1) { // what the game doesn't allow is passed over
      const face = all[(at + step) % all.length];
      if (await edit({ do: "turn_unit", id: name, face, instead: faceOf(name) })) return app.show(`${name}: ${face ? chart.faces[face] : "its front"}.`);
    }
    return undefined;
  }

  async function setSteps(name, steps) {
    if (await edit({ do: "change_unit", id: name, values: { steps } })) app.show(`${name}: ${sideOf(name, steps)}.`);
  }

  const sideOf = (name, steps) => `${app.picture.units[name].sides.at(-steps)}, ${steps} ${steps === 1 ? "step" : "steps"}`;

  // -- the panel

  const does = (work) => (event) => app.attempt(() => work(event));
  const options = (table, value) => Object.entries(table).map(([name, text]) => html`<option value=${name} ?selected=${name === value}>${text || name}</option>`);
  const pickFrom = (text, id, table, value, set) => html`<label>${text} <select id=${id} @change=${(event) => { set(event.target.value); app.draw(); }}>${options(table, value)}</select></label>`;
  const asks = (text, id, value, set, type = "text") => html`<label>${text} <input id=${id} type=${type} .value=${String(value ?? "")} @input=${(event) => set(event.target.value)}></label>`;

  function tools() {
    const all = [["select", "Move and edit counters"], ["unit", "Place counters"], ["terrain", "Paint terrain"], ["hexside", "Paint hexsides"], ["trait", "Mark hexes"], ["area", "Countries and areas"]];
    return html`<fieldset><legend>What a touch does</legend>
      ${all.map(([name, text]) => html`<label><input type="radio" name="tool" value=${name} .checked=${tool === name} @change=${() => { tool = name; chosen = null; app.draw(); }}> ${text}</label>`)}
      ${tool === "terrain" ? pickFrom("Terrain", "terrain", chart.terrain, terrain, (value) => { terrain = value; }) : nothing}
      ${tool === "hexside" ? pickFrom("Hexside", "hexside", chart.hexsides, hexside, (value) => { hexside = value; }) : nothing}
      ${tool === "trait" ? pickFrom("Mark", "trait", chart.hex_traits, trait, (value) => { trait = value; }) : nothing}
      ${tool === "area" ? asks("Country or region (empty: none)", "area", area, (value) => { area = value; }) : nothing}
      ${tool === "hexside" || tool === "trait" ? html`<label><input type="checkbox" id="off" .checked=${off} @change=${(event) => { off = event.target.checked; }}> take it away</label>` : nothing}
      ${tool === "unit" ? html`<form id="place" @submit=${does((event) => { event.preventDefault(); return place(placeAt.trim()); })}>${pickFrom("Side", "unit-side", chart.sides, unit.side, (value) => { unit.side = value; })}
        ${pickFrom("Type", "unit-type", chart.unit_types, unit.type, (value) => { unit.type = value; })}
        ${asks(`Values (${chart.counter.join("-")}; other sides after commas)`, "values", unit.values, (value) => { unit.values = value; })}
        ${asks("Steps (absent: all)", "steps", unit.steps, (value) => { unit.steps = value; }, "number")}
        ${asks("Id (absent: by its type)", "unit-id", unit.id, (value) => { unit.id = value; })}
        <div class="row">${asks("In hex (or touch it)", "place-at", placeAt, (value) => { placeAt = value; })}<button type="submit" id="put">Place</button></div></form>` : nothing}
      ${tool === "select" ? here() : nothing}
      ${tool === "select" && chosen && app.picture.units[chosen] ? counter() : nothing}</fieldset>`;
  }

  // Who stands in the hex, where it is more than one: those below are chosen here.
  function here() {
    const those = inHex(app.chosen);
    return those.length < 2 ? nothing : html`<ul class="plain" id="stack" aria-label="In ${app.chosen}">${those.map((name) => html`<li><button type="button" class="link"
      data-take=${name} aria-pressed=${String(name === chosen)} @click=${() => take(name)}>${app.picture.units[name]?.text ?? name}</button></li>`)}</ul>`;
  }

  function counter() {
    const { sides, steps } = app.picture.units[chosen];
    const submit = (event) => {
      event.preventDefault();
      const form = new FormData(event.target), values = {};
      for (const key of ["name", "values"]) if (form.get(key)) values[key] = form.get(key);
      if (form.get("steps")) values.steps = Number(form.get("steps"));
      if (form.get("at")) values.at = form.get("at").trim();
      app.attempt(async () => { if (await edit({ do: "change_unit", id: chosen, values })) event.target.reset(); });
    };
    return html`<form id="counter" @submit=${submit}><p class="said"><b>${app.picture.units[chosen].text}</b></p>
      <label>New name <input name="name"></label><label>New values (${chart.counter.join("-")}; other sides after commas) <input name="values" id="new-values"></label>
      <label>New steps <input name="steps" type="number" min="1"></label><label>New hex <input name="at" id="new-hex"></label>
      ${sides.length > 1 ? html`<label>Steps that are left <select id="side-up" @change=${(event) => app.attempt(() => setSteps(chosen, Number(event.target.value)))}>
        ${sides.map((_, at) => sides.length - at).map((left) => html`<option value=${left} ?selected=${left === steps}>${sideOf(chosen, left)}</option>`)}</select></label>` : nothing}
      ${Object.keys(chart.faces).length ? pickFrom("Side that is up", "face", { "": "front", ...chart.faces }, faceOf(chosen), (face) => app.attempt(() => edit({ do: "turn_unit", id: chosen, face, instead: faceOf(chosen) }))) : nothing}
      <div class="row"><button type="submit">Change</button>
      ${Object.keys(chart.faces).length || sides.length > 1 ? html`<button type="button" id="turn" title="Turn it to its next side (t)" @click=${does(turn)}>Turn</button>` : nothing}
      <button type="button" id="delete" @click=${does(async () => { const name = chosen; chosen = null; map.showPicked([]); await edit({ do: "delete_unit", id: name }); })}>Delete</button></div></form>`;
  }

  function head() {
    const set = (key) => (event) => app.attempt(() => edit({ do: "set", key, value: event.target.value || null }));
    return html`<fieldset><legend>What it is</legend>
      <label>Title <input id="title-of" .value=${app.picture?.title ?? ""} @change=${set("title")}></label>
      <label>Phase <select id="phase" @change=${set("phase")}>${options(chart.phases, app.state.phase)}</select></label>
      <label>Side to move <select id="phasing" @change=${set("phasing")}>${options(chart.sides, app.state.side)}</select></label></fieldset>`;
  }

  function text() {
    return html`<details class="part" id="text"><summary><h2>As text (TOML)</h2></summary>
      <label>The scenario file <textarea id="toml" spellcheck="false" .value=${draft.typed ?? draft.text} @input=${(event) => write(event.target.value)}></textarea></label>
      <div class="row"><button type="button" id="apply" @click=${does(applyText)}>Apply</button>
      ${isTyped() ? html`<button type="button" id="leave-text" @click=${leaveTyped}>Leave what is written</button>` : nothing}</div>
      ${problems.length ? html`<ul class="plain bad">${problems.map((one) => html`<li>${one.what} <small>${one.where}</small></li>`)}</ul>` : nothing}</details>`;
  }

  function panel() {
    if (!shipped || (learning && !chart)) return html`<p>…</p>`;
    const ready = draft && chart && app.state;
    return html`
      <details class="part" id="new" ?open=${!ready}><summary><h2>A new map</h2></summary><form @submit=${does(begin)}>
        ${pickFrom("Game", "model", shipped.models, size.model, (value) => { size.model = value; })}
        <div class="row">${asks("Hexes across", "columns", size.columns, (value) => { size.columns = value; }, "number")}
        ${asks("Hexes down", "rows", size.rows, (value) => { size.rows = value; }, "number")}</div>
        <button type="submit" id="create" class="main">Create</button></form></details>
      ${before() ? html`<div class="row"><button type="button" id="before" @click=${does(backToBefore)}>Back to the draft before</button></div>` : nothing}
      ${ready ? html`<div class="row"><button type="button" id="undo" ?disabled=${!draft.past.length} @click=${does(undo)}>Undo</button>
        <button type="button" id="redo" ?disabled=${!draft.future.length} @click=${does(redo)}>Redo</button>
        <button type="button" id="save" @click=${does(save)}>Save (TOML)</button>
        <button type="button" id="share" @click=${does(share)}>Page to send</button></div>
        ${tools()} ${head()} ${objective.panel()} ${text()}` : nothing}`;
  }

  const HINTS = {
    select: "Touch a counter to change it; drag it to another hex.", unit: "Touch a hex: a counter is placed there.",
    terrain: "Touch a hex, or draw over several: they get the terrain.", hexside: "Touch a hexside, or draw along several.",
    trait: "Touch a hex, or draw over several: they get the mark.", area: "Touch a hex, or draw over several: they belong to it.",
  };

  return {
    panel, enter, tap, grab, enterHex,
    hint: () => (app.state && draft ? HINTS[tool] : "Choose a game and the size of the map, and create it."),
    paints: () => tool !== "select",
    leave() { chosen = null; map.showPicked([]); },
    key(name) { const work = { u: undo, t: turn }[name]; if (!work || !draft) return false; app.attempt(work); return true; },
    escape() { const had = chosen || sideFrom; chosen = sideFrom = null; map.showPicked([]); return Boolean(had); },
  };
}
