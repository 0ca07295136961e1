// Best moves: the search's best plan so far on the map, with value, bound and gap; stepped through, and made. A plan that reacts
// is gone through by saying what is rolled; several plans stand side by side.
import { thumbnail } from "./map.js";

export function suggestPanel(app) {
  const { html, nothing, map } = app;
  let time = 30, adaptive = false, running = null, found = null, info = null, steps = 0, shown = 0, moves = [];
  let count = 1, diverse = false, many = []; // several plans: { moves, result, picture }
  let trail = []; // a plan that reacts: the situations up to the one that is seen, each { node, made }

  async function find() {
    forget();
    const mine = running = new AbortController();
    app.show("Searching …");
    try {
      const asked = { time: Number(time) || null, ...(count > 1 ? { alternatives: Number(count), diverse } : { adaptive }) };
      const answer = await app.server.slow("go", asked, { signal: mine.signal, tell });
      if (running !== mine) return; // the panel has been left meanwhile
      running = null;
      found = answer;
      if (answer.plans) await sideBySide();
      else if (answer.root) await goTo([{ node: answer.root }]);
      else await present(answer.moves ?? []);
      if (found === answer) app.show(said(answer));
    } finally {
      if (running === mine) running = null;
      app.draw();
    }
  }

  const STATUS = {
    optimal: "Proved: nothing is better.", feasible: "The best so far; better may be possible.",
    infeasible: "Proved: no plan does what is required.", unknown: "Nothing is known yet: no plan was found, and none is ruled out.",
  };
  const aimless = (one) => ["optimal", "feasible"].includes(one.status) && (one.worth ?? one.value)?.length === 0;
  const said = (one) => (aimless(one) ? "Nothing is to be had yet, so that no plan is better than another: say under “Set up” what is to be had." : told(one));
  // Who may stay where they are, but must still do something, such as attack, aren't told to stay.
  const idle = (best) => (app.state.violations?.length ? `${best} takes no moves; what must still be done is under “Play”` : `${best} is to stay`);
  const told = (one) => one.moves?.length === 0 && one.status === "feasible" ? `${idle("The best so far")}; better may be possible.` : `${one.plans && one.status === "optimal" ? `${one.plans.length} plans${one.proved ? ", proved" : ""}.` : STATUS[one.status] ?? one.status} ${one.moves?.length === 0 && one.status === "optimal" ? `${idle("The best")}.` : ""}`;

  let drawing = Promise.resolve(), latest = "";
  function tell(one) {
    info = one;
    app.draw();
    const key = (one.moves ?? []).join("; ");
    if (!one.moves || key === latest) return;
    latest = key;
    drawing = drawing.then(() => (key === latest && running ? present(one.moves) : undefined)).catch(() => {});
  }

  async function present(plan) {
    moves = plan;
    await app.refresh(plan);
    if (moves !== plan) return;
    steps = shown = plan.filter((move) => !move.includes(" -> ")).length; // attacks have no picture of their own
    step(shown);
  }

  // -- several plans

  async function sideBySide() {
    const all = many = found.plans.map((one, at) => ({ moves: found.moves[at], result: one.result, picture: "" }));
    for (const one of all) one.picture = thumbnail(await app.server.ask("picture", { moves: one.moves }), one.moves.length);
    if (all.length && many === all) await present(all[0].moves);
  }

  const chosen = () => many.find((one) => one.moves === moves);

  function cards() {
    const everywhere = (move) => many.every((one) => one.moves.includes(move));
    return html`<ul class="cards" id="plans">${many.map((one, at) => html`<li aria-current=${one.moves === moves ? "true" : nothing}>
      <button type="button" data-plan=${at} @click=${() => app.attempt(() => present(one.moves))}>${one.picture ? html`<img src=${one.picture} alt="">` : nothing} Plan ${at + 1}: ${one.result.value.join(" / ")}</button>
      ${one.moves.length ? html`<ul class="plain">${one.moves.map((move) => html`<li>${everywhere(move) ? move : html`<b>${move}</b>`}</li>`)}</ul>` : html`<p>${app.state.violations?.length ? "No moves." : "Stay."}</p>`}</li>`)}</ul>
      ${found.exhausted ? html`<p class="said">There is no other that differs in substance.</p>` : nothing}`;
  }

  // -- a plan that reacts

  const all = (node) => [...node.moves, ...(node.attacks ?? [])];
  const rolledFor = (node) => (node.attacks?.length ? node.moves.length : node.moves.length - 1);

  async function goTo(situations) {
    trail = situations;
    await present(trail.flatMap(({ node, made }) => (made ? [...node.moves.slice(0, rolledFor(node)), made] : all(node))));
  }

  function reacting() {
    const { node } = trail.at(-1), last = trail.length - 1;
    const after = (branch, made) => app.attempt(() => goTo([...trail.slice(0, -1), { node, made }, { node: branch.then }]));
    return html`<section id="policy" aria-label="What is done by what is rolled">
      ${last ? html`<p class="said">If ${trail.slice(0, -1).map((one) => one.made).join(", then ")}:</p>` : nothing}
      ${node.value?.length ? html`<p class="said">Worth from here: <b id="worth-here">${node.value.join(" / ")}</b></p>` : nothing}
      ${node.branches?.length ? html`<h3>What is rolled for ${all(node)[rolledFor(node)]}?</h3><ol class="results">${node.branches.map((branch, at) => html`<li><button type="button" data-branch=${at}
        @click=${() => after(branch, branch.made[0])}><span class="text">${branch.made.join(" or ")}</span> <span class="chance">${branch.probability}</span></button></li>`)}</ol>` : html`<p>Nothing that is rolled from here on changes what is done.</p>`}
      ${last ? html`<div class="row"><button type="button" id="policy-back" @click=${() => app.attempt(() => goTo([...trail.slice(0, -2), { node: trail.at(-2).node }]))}>Back to the roll before</button></div>` : nothing}</section>`;
  }

  // Show the position after so many of the moves: the picture has a frame for each.
  function step(number) {
    shown = Math.max(0, Math.min(steps, number));
    for (const one of map.svg.querySelectorAll("[data-from]")) {
      one.classList.toggle("off", shown < Number(one.dataset.from) || shown >= Number(one.dataset.to));
    }
    for (const arrow of map.svg.querySelectorAll(".move")) arrow.classList.toggle("current", Number(arrow.dataset.move) === shown);
    app.draw();
  }

  async function make() {
    const plan = trail.length ? trail[0].node : { moves };
    forget();
    await app.turnTo("play");
    await app.panels.play.follow(plan);
  }

  // More than the value itself is no share that says anything: then worth and bound are enough.
  const share = (gap) => (gap > 0 && gap < 0.001 ? "below 0.1 %" : `${(100 * gap).toFixed(1)} %`);

  const values = (one) => {
    if (!one || aimless(one)) return nothing;
    const value = one.worth ?? one.value, bound = one.bound;
    const figure = (what) => (Array.isArray(what) ? what.join(" / ") : what ?? "—");
    return html`<dl class="figures"><dt>Worth</dt><dd id="value">${figure(value)}</dd><dt>At most</dt><dd id="bound">${figure(bound)}</dd>
      ${one.gap === undefined || one.gap === null || one.gap > 1 ? nothing : html`<dt>Gap</dt><dd>${share(one.gap)}</dd>`}
      ${one.tier === undefined ? nothing : html`<dt>Tier</dt><dd>${one.tier + 1}, after ${one.seconds} s</dd>`}</dl>`;
  };

  function panel() {
    if (!app.state) return html`<p>No position is open.</p>`;
    const does = (work) => () => app.attempt(work);
    return html`<h2>The best plan for what is left of the phase</h2>
      <div class="row"><label>Seconds at most <input type="number" id="seconds" min="1" .value=${String(time)} @input=${(event) => { time = event.target.value; }}></label>
        <label><input type="checkbox" id="adaptive" .checked=${adaptive} @change=${(event) => { adaptive = event.target.checked; }}> reacts to what is rolled</label>
        <label>Plans <input type="number" id="count" min="1" max="9" .value=${String(count)} @input=${(event) => { count = event.target.value; app.draw(); }}></label>
        ${count > 1 ? html`<label><input type="checkbox" id="diverse" .checked=${diverse} @change=${(event) => { diverse = event.target.checked; }}> as different as possible</label>` : nothing}</div>
      <div class="row"><button type="button" id="find" class="main" ?disabled=${running || app.state.outcomes} @click=${does(find)}>Find the best moves</button>
        <button type="button" id="stop" ?disabled=${!running} @click=${() => app.server.stop()}>Stop</button></div>
      ${found ? html`<p class="said" id="status">${said(found)}</p>` : running ? html`<p class="said" id="status">Searching …</p>` : nothing}
      ${values(chosen()?.result ?? found ?? info)}
      ${many.length ? cards() : nothing} ${trail.length ? reacting() : nothing}
      ${moves.length ? html`<div class="stepping" role="group" aria-label="Step through the moves">
        <button type="button" id="previous" ?disabled=${!shown} @click=${() => step(shown - 1)}>◀<span class="hidden"> back</span></button>
        <input type="range" id="slider" min="0" max=${steps} .value=${String(shown)} aria-label="Moves played" @input=${(event) => step(Number(event.target.value))}>
        <button type="button" id="next" ?disabled=${shown === steps} @click=${() => step(shown + 1)}>▶<span class="hidden"> next move</span></button></div>
        <ol class="made">${moves.map((move, index) => html`<li aria-current=${index + 1 === shown ? "step" : nothing}><button type="button" class="link" @click=${() => step(index + 1)}>${move}</button></li>`)}</ol>
        <div class="row"><button type="button" id="make" class="main" ?disabled=${running} @click=${does(make)}>${trail.length ? "Play by this plan" : "Make these moves"}</button>
          <button type="button" id="send" ?disabled=${running} @click=${does(async () => app.download("plan.html", (await app.server.ask("page", { moves })).html, "text/html"))}>Page to send</button></div>
        ${found?.terms?.length ? html`<details class="part"><summary><h2>What it is worth</h2></summary><ul class="plain">${found.terms.map((term) => html`<li>${term.what}: ${term.count} × ${term.weight} = ${term.worth}</li>`)}</ul></details>` : nothing}` : nothing}`;
  }

  function forget() {
    running?.abort();
    running = found = info = null;
    moves = []; many = []; trail = []; steps = shown = 0; latest = "";
  }

  return {
    panel, forget,
    hint: () => (app.state ? "The best plan that is known is drawn on the map." : "Choose a position under “Open”, or set one up."),
    leave() { const had = steps; forget(); if (had && app.state) app.attempt(() => app.refresh()); },
    key(name) {
      if (!steps || !["ArrowLeft", "ArrowRight"].includes(name)) return false;
      step(shown + (name === "ArrowRight" ? 1 : -1));
      return true;
    },
  };
}
