// Asking and playing: where a unit can go, moves, dice, phases, attacks, why not; puzzles.
import { asksAhead } from "./ahead.js";
import { follower } from "./follow.js";
import { hexReport } from "./hex.js";

const PATIENCE = 5; // seconds that the planner thinks before it moves, and after each roll
const PAINTED = 250; // milliseconds in which what a unit reaches by itself has been painted

// When what has been drawn is seen; nothing is in a window that is hidden, where nobody waits for it.
const painted = () => Promise.race([
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))), new Promise((resolve) => setTimeout(resolve, PAINTED)),
]);

export function playPanel(app) {
  const { html, nothing, map } = app;
  let picked = []; // units that go together
  let ways = [], helped = [];
  let judging = null; // when what they reach by themselves is known for sure, with the moves
  let asking = null; // stops the question that is being worked on
  let thinking = null; // stops the planner that plays a side's phase
  let why = null; // what is wrong with what was asked: { title, violations, remedies, plan }
  let attackers = {}; // by target: who takes part
  let targets = {};
  let puzzle = null, hints = [];
  let seed = "";
  let odds = {}; // by target: what is known of the attack that is being put together
  const plan = follower(app), hex = hexReport(app), ahead = asksAhead(app);

  const units = () => app.picture?.units ?? {};
  const mine = (unit) => units()[unit]?.side === app.state?.side;
  const inHex = (label) => Object.entries(app.state?.at ?? {}).filter(([, at]) => at === label).map(([unit]) => unit);
  const may = () => app.state && !app.state.outcomes && !thinking;

  function drop(those = []) {
    asking?.abort();
    ahead.giveWay(those);
    picked = []; ways = []; helped = []; why = judging = null;
    hex.forget();
    map.clear();
  }

  // Take units up: what they reach is shown, first by themselves, then with the help of others.
  async function pick(those) {
    drop(those);
    if (!may() || !those.length) return;
    picked = those;
    map.showPicked([app.state.at[those[0]]]);
    const soonest = ahead.soonest(those);
    judging = soonest.then(() => (picked === those ? ahead.ways(those) : ways));
    judging.catch(() => {}); // who waits for it is told
    for (const answer of [soonest, judging]) {
      const found = await answer;
      if (picked !== those) return; // others have been taken meanwhile
      if (found !== ways) map.showReach(found);
      ways = found;
      await painted(); // what is said beside the map comes after what is seen on it
      if (picked !== those) return;
    }
    const count = new Set(ways.map((way) => way.to)).size;
    app.show(`${those.join(" and ")} ${those.length > 1 ? "reach" : "reaches"} ${count} ${count === 1 ? "hex" : "hexes"}.`);
    if (those.length === 1) askForHelp(those[0]);
  }

  async function askForHelp(unit) {
    const asked = asking = new AbortController();
    await new Promise((resolve) => setTimeout(resolve, PAINTED)); // a search beside it would delay what is drawn
    if (asked.signal.aborted) return;
    try {
      const found = await app.server.slow("reach", { unit, time: 20 }, { signal: asked.signal });
      if (asked.signal.aborted || picked[0] !== unit) return;
      const alone = new Set(ways.map((way) => way.to));
      helped = (found.with_help ?? found.hexes.filter((one) => one.help?.length)).filter((one) => !alone.has(one.hex))
        .map((one) => ({ to: one.hex, mp: String(one.mp), path: one.path, plan: one.plan, help: one.help ?? [] }));
      map.showReach(ways, helped);
      const hindered = (found.hindrances ?? []).map((one) => one.message ?? String(one)).join("; ");
      app.show([app.message, helped.length ? `${helped.length} more only with the help of others (hatched).` : "", hindered && `Can't move now: ${hindered}.`].filter(Boolean).join(" "));
    } catch (error) {
      if (error.name !== "AbortError" && error.kind !== "busy") throw error;
    }
  }

  // What a hex costs those who have been taken up, for whoever reads the map hex by hex.
  function about(label) {
    if (!picked.length || label === app.state.at[picked[0]]) return [];
    const way = wayTo(label), help = helped.find((one) => one.to === label), who = picked.join(" and ");
    if (way) return [`${who}: ${way.mp} MP${way.fights ? ", a fight" : way.stop?.length ? `, must stop (${way.stop.map((one) => one.rule).join(", ")})` : ""}`];
    return [help ? `${who}: ${help.mp} MP, only with the help of ${[...new Set(help.help.flatMap((one) => one.by))].join(", ") || "others"}` : `${who}: out of reach`];
  }

  const wayTo = (label) => ways.find((way) => way.to === label);

  async function goTo(label) {
    const those = picked, found = await judging;
    if (picked !== those) return undefined;
    ways = found ?? ways;
    const way = wayTo(label);
    if (way) return make(way.move, way.path);
    return askWhy(label);
  }

  async function make(move, path = null) {
    drop();
    app.state = await app.server.ask("push", { move });
    plan.leave();
    await changed(path);
    if (app.state.outcomes) app.show(`${move}: what was rolled?`);
    else app.show(`Made: ${move}.`);
  }

  async function changed(path = null) {
    targets = {}; attackers = {}; odds = {};
    await app.refresh();
    if (path) map.showArrow(path);
    if (may()) ({ targets } = await app.server.ask("targets"));
    if (puzzle?.asks) puzzle = await app.server.ask("puzzle");
    app.draw();
    lookAhead();
  }

  // Ask where the side's own units can go, while none is taken up.
  const lookAhead = () => ahead.go(() => (may() ? app.nearest(Object.keys(app.state.at).filter(mine)) : []), () => picked.length || hex.asked());

  // Why units can't go to a hex: the rules, who is to blame, and what would help.
  async function askWhy(label) {
    const who = picked.join("+");
    asking?.abort();
    asking = new AbortController();
    const help = helped.find((one) => one.to === label);
    map.showArrow([app.state.at[picked[0]], label], "wrong");
    app.show(`${who} can't go to ${label} by itself. Asking why …`);
    try {
      const found = await app.server.slow("why", { moves: [`${who} to ${label}`], time: 30 }, { signal: asking.signal });
      if (found.status === "possible" && !found.reasons.length) { app.show(found.answer ?? "It is possible."); }
      const violations = found.reasons.flatMap((reason) => reason.instances).map((one) => ({ hex: one.hex ?? label, rule: one.paragraph || one.rule, text: one.message, blame: one.blame }));
      why = { title: `${who} to ${label}`, violations, remedies: found.remedies ?? [], plan: help?.plan ?? (found.status === "with_help" ? found.plan : null) };
      map.showBlame(violations);
      const first = violations[0];
      app.show(first ? "" : `${who} to ${label}: ${found.status.replaceAll("_", " ")}; no rule was found in time.`, !first);
      app.inSight("why");
      if (first) app.say(`${who} can't go to ${label}: ${violations.map((one) => `${one.rule}: ${one.text}`).join("; ")}`);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  // Follow a plan: { moves, attacks, branches }, as far as nothing is rolled.
  async function follow(node) {
    plan.forget();
    plan.take(node);
    return goOn();
  }

  async function goOn() {
    drop();
    let passed = [];
    try {
      passed = await plan.make();
    } finally {
      await changed();
    }
    const skipped = passed.length ? ` Not possible any more: ${passed.join("; ")}.` : "";
    app.show((app.state.outcomes ? "What was rolled? The plan goes on by that." : "Made.") + skipped);
  }
  const makeAll = (moves) => follow({ moves });

  async function roll(result = null) {
    const said = result ? { result } : seed === "" ? {} : { seed: Number(seed) };
    if (seed !== "" && !result) seed = "";
    const found = await app.server.ask("roll", said);
    app.state = found;
    plan.rolled(found.rolled.move);
    await changed();
    app.show(`Rolled: ${found.rolled.move} (probability ${found.rolled.probability}).`);
  }

  async function undo() {
    if (!app.server.done.length) return app.show("There is nothing to take back.");
    drop();
    app.state = await app.server.ask("pop");
    plan.back();
    await changed();
    app.show("Taken back.");
  }

  async function endPhase() {
    drop();
    try {
      app.state = await app.server.ask("end_phase");
    } catch (error) {
      if (!error.violations?.length) throw error;
      map.showBlame(error.violations.map((one) => ({ hex: one.at, rule: one.rule, blame: one.blame ?? [] })));
      return app.show(`The phase can't end: ${error.message}`, true);
    }
    plan.leave();
    await changed();
    app.show(app.picture.subtitle);
  }

  // The planner plays the phase for the side: its best plan is made as far as nothing is rolled, then it thinks again.
  async function plannerPlays() {
    drop();
    plan.leave();
    const mine = thinking = new AbortController(), made = [];
    const over = () => mine.signal.aborted;
    app.show("The planner thinks …");
    try {
      for (let rolls = 0; rolls < 100; rolls += 1) {
        const found = await app.server.slow("go", { time: PATIENCE }, { signal: mine.signal });
        if (over()) return undefined;
        if (!["optimal", "feasible"].includes(found.status)) return app.show("The planner knows no plan that does what is required: nothing more has been made.", true);
        if (!found.moves?.length) break;
        plan.take({ moves: found.moves });
        await plan.make();
        plan.leave();
        if (!app.state.outcomes) break;
        while (app.state.outcomes && !over()) app.state = await app.server.ask("roll");
        await app.refresh();
      }
      // What must be done is no part of the plan unless its attacks are.
      for (let due, declare; !over() && ({ move: due, declare } = await app.server.ask("duty")).move;) {
        if (declare.length) await app.server.ask("declare", { attacks: declare });
        app.state = await app.server.ask("push", { move: due });
        while (app.state.outcomes && !over()) app.state = await app.server.ask("roll");
        await app.refresh();
      }
    } finally {
      if (thinking === mine) thinking = null;
      made.push(...app.state.made);
      if (!over()) await changed();
    }
    if (over()) return undefined;
    await endPhase();
    return app.show(`The planner has made: ${made.join("; ") || "nothing"}. ${app.message}`, app.wrong);
  }

  async function nextUnit() {
    const all = Object.keys(app.state.at).filter(mine);
    const at = all.indexOf(picked[0]);
    const unit = all[(at + 1) % all.length];
    if (!unit) return;
    app.choose(app.state.at[unit]);
    await pick([unit]);
    if (map.unit(unit)) app.camera.see(map.unit(unit));
  }

  async function whoCanCome(label) {
    if (!label || !may()) return;
    app.choose(label);
    drop();
    await hex.ask(label);
    app.inSight("hex");
  }

  // The odds of the attack that is being put together, or what forbids it.
  async function weigh(label) {
    const move = `${[...attackers[label]].join("+")} -> ${label}`;
    odds[label] = null;
    if (!attackers[label].size) return app.draw();
    const found = await app.server.ask("check", { moves: [move] });
    const wrong = found.violations.filter((one) => one.attack !== undefined && one.attack !== null);
    odds[label] = { move, attack: found.attacks?.[0], wrong };
    return app.draw();
  }

  // -- what is done on the map

  async function tap(label, unit, event) {
    if (!may()) return;
    hex.forget();
    if (unit && mine(unit) && !picked.includes(unit)) {
      const together = event?.shiftKey && picked.length && app.state.at[picked[0]] === app.state.at[unit];
      await pick(together ? [...picked, unit] : [unit]);
    } else if (picked.length && label && label !== app.state.at[picked[0]]) await goTo(label);
    else if (picked.length) { drop(); app.show(""); }
  }

  async function enterHex(label) {
    if (!label || !may()) return;
    if (picked.length && label !== app.state.at[picked[0]]) return goTo(label);
    const own = inHex(label).filter(mine);
    if (!own.length) return app.show(`No unit of the side that moves stands in ${label}.`);
    await pick([own[(own.indexOf(picked[0]) + 1) % own.length]]);
  }

  function grab(unit, from) {
    if (!unit || !mine(unit) || !may()) return null;
    ahead.soonest([unit]).catch(() => {}); // known by the time that it is let go
    let shown = null, begin = null;
    const counter = map.unit(unit);
    const labelAt = (event) => map.labelAt(...app.camera.at(event.clientX, event.clientY));
    return {
      move(event) {
        begin ??= picked.includes(unit) ? Promise.resolve() : app.attempt(() => pick([unit]));
        counter?.classList.add("grabbed");
        const label = labelAt(event);
        if (label === shown) return;
        shown = label;
        const way = label && wayTo(label);
        map.showArrow(way ? way.path : label ? [from, label] : [], way ? "wanted" : "wrong");
      },
      drop(event) {
        counter?.classList.remove("grabbed");
        const label = labelAt(event);
        app.attempt(async () => {
          await begin;
          if (label && label !== from) { app.choose(label); await goTo(label); } else map.showArrow([]);
        });
      },
      cancel() { counter?.classList.remove("grabbed"); map.showArrow([]); },
    };
  }

  const keys = { u: undo, e: endPhase, n: nextUnit, w: () => whoCanCome(app.chosen) };
  function key(name) {
    if (!keys[name] || !app.state || thinking) return false;
    app.attempt(keys[name]);
    return true;
  }

  // -- the panel

  const does = (work) => () => app.attempt(work);

  function diceDue() {
    return html`<section aria-label="Dice"><h2>What was rolled?</h2>
      <ol class="results">${app.state.outcomes.map((one, index) => html`<li><button type="button" data-result=${index} @click=${does(() => roll(one.move))}>
        <span class="text">${one.move}</span> <span class="chance">${one.probability}</span> <small>${plan.then(one.move)}</small></button></li>`)}</ol>
      <div class="row"><button type="button" id="roll" class="main" @click=${does(() => roll())}>Roll</button>
        <label>Seed (absent: chance) <input type="number" min="0" .value=${seed} @input=${(event) => { seed = event.target.value; }}></label></div></section>`;
  }

  function unitsHere() {
    const those = inHex(app.chosen);
    if (!those.length) return nothing;
    const toggle = (unit) => does(() => pick(picked.includes(unit) ? picked.filter((one) => one !== unit)
      : [...picked.filter((one) => app.state.at[one] === app.chosen), unit]));
    return html`<fieldset><legend>In ${app.chosen}</legend><ul class="plain">${those.map((unit) => html`<li>${mine(unit) && may()
      ? html`<label><input type="checkbox" data-pick=${unit} .checked=${picked.includes(unit)} @change=${toggle(unit)}> ${units()[unit]?.text ?? unit}</label>`
      : units()[unit]?.text ?? unit}</li>`)}</ul></fieldset>`;
  }

  function goSomewhere() {
    if (!picked.length) return nothing;
    const submit = (event) => {
      event.preventDefault();
      app.attempt(() => goTo(event.target.elements.to.value.trim()));
    };
    return html`<form class="row" @submit=${submit}><label>${picked.join(" + ")} to hex
      <input name="to" id="to" list="hexes" autocomplete="off" required></label>
      <datalist id="hexes">${ways.map((way) => html`<option value=${way.to}>${way.mp} MP</option>`)}</datalist>
      <button type="submit">Go</button></form>`;
  }

  function whyNot() {
    if (!why) return nothing;
    return html`<section id="why" aria-label="Why not"><h2 class="bad">${why.title}: why not</h2>
      <ul class="plain">${why.violations.map((one) => html`<li><abbr class="rule">${one.rule}</abbr>: ${one.text}</li>`)}</ul>
      ${why.remedies.length ? html`<h3>It would go</h3><ul class="plain">${why.remedies.map((one) => html`<li>${one.sentence}
        ${one.own && one.plan ? html`<button type="button" data-remedy @click=${does(() => makeAll(one.plan))}>Make these moves</button>` : nothing}</li>`)}</ul>` : nothing}
      ${why.plan && !why.remedies.some((one) => one.own) ? html`<p>With help: ${why.plan.join("; ")}
        <button type="button" data-remedy @click=${does(() => makeAll(why.plan))}>Make these moves</button></p>` : nothing}</section>`;
  }

  function attacks() {
    const listed = Object.entries(targets);
    if (!listed.length || !may()) return nothing;
    const chosen = (label) => attackers[label] ??= new Set();
    const toggle = (label, unit) => does(() => { const set = chosen(label); if (!set.delete(unit)) set.add(unit); return weigh(label); });
    const told = (one) => (!one ? nothing : one.wrong.length ? html`<p class="bad">${one.wrong.map((bad) => `${bad.rule}: ${bad.message}`).join("; ")}</p>`
      : html`<p class="said" data-odds><b>${hex.columnOf(one.attack?.odds)}</b> ${(one.attack?.results ?? []).map((result) => `${result.result} ${result.probability}`).join(", ")}</p>`);
    return html`<details class="part" id="attacks"><summary><h2>Attacks</h2></summary>${listed.map(([label, those]) => html`<fieldset><legend>${label}</legend>
      ${those.map((unit) => html`<label><input type="checkbox" .checked=${chosen(label).has(unit)} @change=${toggle(label, unit)}> ${units()[unit]?.text ?? unit}</label>`)}
      ${told(odds[label])}
      <button type="button" data-attack=${label} ?disabled=${!chosen(label).size} @click=${does(() => make(`${[...chosen(label)].join("+")} -> ${label}`))}>Attack</button></fieldset>`)}</details>`;
  }

  function riddle() {
    if (!puzzle?.asks) return nothing;
    const hint = async () => { hints = [...hints, await app.server.ask("hint", { number: hints.length + 1 })]; app.draw(); };
    const solved = puzzle.solved === null ? "" : puzzle.solved ? "Solved!" : app.state.made.length ? "Not solved yet." : "";
    return html`<section id="puzzle" aria-label="Puzzle"><h2>Puzzle: ${puzzle.asks}</h2>
      <ul class="plain">${puzzle.goal.map((one) => html`<li>${one}</li>`)}</ul>
      <p class="said"><b id="solved">${solved}</b> ${puzzle.worth.length ? `What you have made is worth ${puzzle.worth.join(" / ")}.` : ""}</p>
      <ol class="made">${hints.map((one) => html`<li>${one.text || one.moves.join("; ")}</li>`)}</ol>
      ${hints.length < puzzle.hints ? html`<button type="button" id="hint" @click=${does(hint)}>A hint (${puzzle.hints - hints.length} left)</button>` : nothing}
      <button type="button" id="diagram" @click=${does(async () => app.download("puzzle.html", (await app.server.ask("page", { kind: "diagram" })).html, "text/html"))}>Diagram to print</button>
      ${puzzle.asks.startsWith("Why") ? html`<p>“Best moves” says whether there is a way at all.</p>` : nothing}</section>`;
  }

  function panel() {
    if (!app.state) return html`<p>No position is open: choose one under “Open”, or set one up.</p>`;
    const { state } = app, broken = state.violations ?? [];
    return html`
      <p class="said"><b>${app.picture?.sides?.[state.side] ?? state.side}</b> to move${state.turn === undefined ? "" : `, turn ${state.turn}`}</p>
      ${riddle()}
      ${state.outcomes ? diceDue() : nothing} ${plan.panel(does(goOn))}
      <div class="row">
        <button type="button" id="undo" ?disabled=${!app.server.done.length || thinking} @click=${does(undo)}>Undo</button>
        <button type="button" id="next-unit" ?disabled=${!may()} @click=${does(nextUnit)}>Next unit</button>
        <button type="button" id="end-phase" class="main" ?disabled=${!may()} @click=${does(endPhase)}>End phase</button>
        ${thinking ? html`<button type="button" id="hurry" @click=${() => app.server.stop()}>Move now</button>`
    : html`<button type="button" id="planner-plays" ?disabled=${!may()} @click=${does(plannerPlays)}>The planner plays this phase</button>`}
      </div>
      ${broken.length ? html`<h3>Before the phase can end</h3><ul class="plain bad" id="broken">${broken.map((one) => html`<li>${one.rule}: ${one.message}</li>`)}</ul>` : nothing}
      ${unitsHere()} ${goSomewhere()} ${whyNot()}
      ${app.chosen && may() ? html`<div class="row"><button type="button" id="who" @click=${does(() => whoCanCome(app.chosen))}>Who can come to ${app.chosen}, or fight there?</button></div>` : nothing}
      ${hex.panel((move) => app.attempt(() => make(move)))}
      ${attacks()}
      <details class="part" id="record" open><summary><h2>Made in this phase</h2></summary>
        ${state.made.length ? html`<ol class="made">${state.made.map((one) => html`<li>${one}</li>`)}</ol>` : html`<p>Nothing yet.</p>`}
        <div class="row">
          <button type="button" id="save-record" @click=${does(async () => app.download("game.json", JSON.stringify(await app.server.ask("record"), null, 1)))}>Record</button>
          <button type="button" id="save-position" ?disabled=${!may()} @click=${does(async () => app.download("position.toml", (await app.server.ask("source", { now: true })).text))}>Position</button>
          <button type="button" id="save-page" ?disabled=${!may()} @click=${does(async () => app.download("board.html", (await app.server.ask("page", { moves: [] })).html, "text/html"))}>Page to send</button>
        </div></details>`;
  }

  async function enter() {
    if (!app.state) return;
    puzzle = await app.attempt(() => app.server.ask("puzzle"));
    if (may()) targets = (await app.attempt(() => app.server.ask("targets")))?.targets ?? {};
    lookAhead();
  }

  return {
    panel, tap, grab, enterHex, key, enter, about,
    hint: () => (app.state ? "Touch a unit: where it can go. Touch a hex of these, or drag the unit there: it moves." : "Choose a position under “Open”, or set one up."),
    leave() { ahead.stop(); thinking?.abort(); drop(); },
    forget() { ahead.stop(); thinking?.abort(); drop(); plan.forget(); puzzle = null; hints = []; targets = {}; odds = {}; },
    escape() { const had = picked.length || why || hex.asked(); drop(); return Boolean(had); },
    menu: whoCanCome,
    at(label) { const way = picked.length && wayTo(label); if (way) map.showArrow(way.path, "wanted"); else map.showArrow([]); },
    follow, makeAll, roll,
  };
}
