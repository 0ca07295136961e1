// Choosing a position: one that ships with the planner, a file, or a new map.
export function openPanel(app) {
  let shipped = null, model = "", puzzles = false;
  const { html, nothing } = app;

  async function enter() { shipped ??= await app.attempt(() => app.server.once("shipped")); app.draw(); }

  const start = (begin) => app.attempt(async () => {
    await app.open(begin);
    await app.turnTo("play");
  });

  async function openFile(event) {
    const file = event.target.files[0];
    if (!file) return;
    const text = await file.text();
    await start({ text, name: file.name });
    event.target.value = "";
  }

  function panel() {
    if (!shipped) return html`<p>…</p>`;
    const listed = shipped.scenarios.filter((one) => (!model || one.model === model) && (!puzzles || one.puzzle));
    return html`
      <h2>Open a position</h2>
      <label>From a file (TOML) <input type="file" id="file" accept=".toml,.json,text/plain" @change=${openFile}></label>
      <div class="row">
        <label>Game <select id="game" @change=${(event) => { model = event.target.value; app.draw(); }}>
          <option value="">all games</option>
          ${Object.entries(shipped.models).map(([name, title]) => html`<option value=${name} ?selected=${model === name}>${title}</option>`)}
        </select></label>
        <label><input type="checkbox" .checked=${puzzles} @change=${(event) => { puzzles = event.target.checked; app.draw(); }}> puzzles alone</label>
      </div>
      <p class="said">${listed.length} positions; a new map is under “Set up”.</p>
      <ul class="plain">${listed.map((one) => html`<li><button type="button" class="link" @click=${() => start({ scenario: one.name })}>${one.title}</button>
        <small>${one.name}${one.puzzle ? " · puzzle" : ""}</small></li>`)}</ul>
      ${nothing}`;
  }
  return { panel, enter };
}
