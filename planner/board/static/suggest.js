// Best moves: the search's best plan so far on the map, with value, bound and gap; stepped through, and made.
export function suggestPanel(app) {
  const { html, nothing, map } = app;
  let time = 30, adaptive = false, running = null, found = null, info = null, steps = 0, shown = 0, moves = [];

  async function find() {
    forget();
    running = new AbortController();
    app.show("Searching …");
    try {
      found = await app.server.slow("go", { time: Number(time) || null, adaptive }, { signal: running.signal, tell });
      running = null;
      const plan = found.moves ?? found.root?.moves ?? [];
      await present(plan);
      app.show(said(found));
    } finally {
      running = null;
      app.draw();
    }
  }

  const STATUS = {
    optimal: "Proved: nothing is better.", feasible: "The best so far; better may be possible.",
    infeasible: "Proved: no plan does what is required.", unknown: "Nothing is known yet: no plan was found, and none is ruled out.",
  };
  const said = (one) => `${STATUS[one.status] ?? one.status} ${one.moves?.length === 0 && one.status === "optimal" ? "The best is to stay." : ""}`;

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
    steps = shown = plan.length;
    step(shown);
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
    const plan = moves;
    forget();
    await app.turnTo("play");
    await app.panels.play.makeAll(plan);
  }

  const values = (one) => {
    if (!one) return nothing;
    const value = one.worth ?? one.value, bound = one.bound;
    const told = (what) => (Array.isArray(what) ? what.join(" / ") : what ?? "—");
    return html`<dl class="figures"><dt>Worth</dt><dd id="value">${told(value)}</dd><dt>At most</dt><dd id="bound">${told(bound)}</dd>
      ${one.gap === undefined || one.gap === null ? nothing : html`<dt>Gap</dt><dd>${(100 * one.gap).toFixed(1)} %</dd>`}
      ${one.tier === undefined ? nothing : html`<dt>Tier</dt><dd>${one.tier + 1}, after ${one.seconds} s</dd>`}</dl>`;
  };

  function panel() {
    if (!app.state) return html`<p>No position is open.</p>`;
    const does = (work) => () => app.attempt(work);
    return html`<h2>The best plan for what is left of the phase</h2>
      <div class="row"><label>Seconds at most <input type="number" id="seconds" min="1" .value=${String(time)} @input=${(event) => { time = event.target.value; }}></label>
        <label><input type="checkbox" id="adaptive" .checked=${adaptive} @change=${(event) => { adaptive = event.target.checked; }}> reacts to what is rolled</label></div>
      <div class="row"><button type="button" id="find" class="main" ?disabled=${running || app.state.outcomes} @click=${does(find)}>Find the best moves</button>
        <button type="button" id="stop" ?disabled=${!running} @click=${() => app.server.stop()}>Stop</button></div>
      ${found ? html`<p class="said" id="status">${said(found)}</p>` : running ? html`<p class="said" id="status">Searching …</p>` : nothing}
      ${values(found ?? info)}
      ${steps ? html`<div class="stepping" role="group" aria-label="Step through the moves">
        <button type="button" id="previous" ?disabled=${!shown} @click=${() => step(shown - 1)}>◀<span class="hidden"> back</span></button>
        <input type="range" id="slider" min="0" max=${steps} .value=${String(shown)} aria-label="Moves played" @input=${(event) => step(Number(event.target.value))}>
        <button type="button" id="next" ?disabled=${shown === steps} @click=${() => step(shown + 1)}>▶<span class="hidden"> next move</span></button></div>
        <ol class="made">${moves.map((move, index) => html`<li aria-current=${index + 1 === shown ? "step" : nothing}><button type="button" class="link" @click=${() => step(index + 1)}>${move}</button></li>`)}</ol>
        <div class="row"><button type="button" id="make" class="main" ?disabled=${running} @click=${does(make)}>Make these moves</button>
          <button type="button" id="send" ?disabled=${running} @click=${does(async () => app.download("plan.html", (await app.server.ask("page", { moves })).html, "text/html"))}>Page to send</button></div>
        ${found?.terms?.length ? html`<details class="part"><summary><h2>What it is worth</h2></summary><ul class="plain">${found.terms.map((term) => html`<li>${term.what}: ${term.count} × ${term.weight} = ${term.worth}</li>`)}</ul></details>` : nothing}` : nothing}`;
  }

  function forget() {
    running?.abort();
    running = found = info = null;
    moves = []; steps = shown = 0; latest = "";
  }

  return {
    panel, forget,
    leave() { const had = steps; forget(); if (had && app.state) app.attempt(() => app.refresh()); },
    key(name) {
      if (!steps || !["ArrowLeft", "ArrowRight"].includes(name)) return false;
      step(shown + (name === "ArrowRight" ? 1 : -1));
      return true;
    },
  };
}
