// Choosing a position: one that ships with the planner, a file, or a new map.
export function openPanel(app) {
  let shipped = null, model = "", puzzles = false;
  const { html, nothing } = app;

  async function enter() { shipped ??= await app.attempt(() => app.server.once("shipped")); app.draw(); }

  const start = (begin) => app.attempt(async () => {
    await app.open(begin);
    await app.turnTo("play");
  });

  async function setUp() {
    await app.turnTo("setup");
    document.getElementById("new").open = true;
    document.getElementById("model").focus();
  }

  async function openFile(event) {
    const file = event.target.files[0];
    if (!file) return;
    const text = await file.text();
    await start({ text, name: file.name });
    event.target.value = "";
  }

  function panel() {
    if (!shipped) return html`<p>…</p>`;
    const kinds = [["Positions", ""], ["Puzzles", "puzzles"], ["Puzzles found by machine", "composed"]];
    const listed = shipped.scenarios.filter((one) => (!model || one.model === model) && (!puzzles || one.puzzle));
    return html`
      <div class="row"><button type="button" id="new-map" class="main" @click=${() => app.attempt(setUp)}>Set up a new map</button></div>
      <h2>Open a position</h2>
      <label>From a file (TOML) <input type="file" id="file" accept=".toml,.json,text/plain" @change=${openFile}></label>
      <div class="row">
        <label>Game <select id="game" @change=${(event) => { model = event.target.value; app.draw(); }}>
          <option value="">all games</option>
          ${Object.entries(shipped.models).map(([name, title]) => html`<option value=${name} ?selected=${model === name}>${title}</option>`)}
        </select></label>
        <label><input type="checkbox" .checked=${puzzles} @change=${(event) => { puzzles = event.target.checked; app.draw(); }}> puzzles alone</label>
      </div>
      ${kinds.map(([heading, folder]) => [heading, listed.filter((one) => folder === (one.name.match(/\/(puzzles|composed)\//)?.[1] ?? ""))]).map(([heading, those]) => (those.length ? html`<h3>${heading} (${those.length})</h3>
        <ul class="plain">${those.map((one) => html`<li><button type="button" class="link" @click=${() => start({ scenario: one.name })}>${one.title}</button>
        <small>${one.name}</small></li>`)}</ul>` : nothing))}`;
  }
  return { panel, enter, hint: () => "Choose a position in the list, or set up a new map." };
}
