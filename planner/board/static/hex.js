// One hex: who can come there, who can fight there, and at which odds.
export function hexReport(app) {
  const { html, nothing, map } = app;
  let label = null, found = null;

  async function ask(of) {
    forget();
    label = of;
    app.show(`Who can come to ${of}?`);
    const told = await app.server.ask("hex", { hex: of });
    if (label !== of) return; // another one has been asked about
    found = told;
    map.showWays([...found.come, ...found.fights, ...found.attacks.flatMap(({ attackers }) => attackers.map((unit) => ({ path: [app.state.at[unit], of], fights: true })))]);
    const fights = found.fights.length + found.attacks.length;
    app.show(`${found.come.length ? `${found.come.length} can come to ${of}` : `Nobody can come to ${of} by itself`}${fights ? `; ${fights} can fight there` : ""}.`);
  }

  function forget() { label = found = null; map.showWays([]); }

  const columnOf = (odds) => (!odds ? "" : odds.shifted && odds.shifted !== odds.column ? `${odds.column}, shifted to ${odds.shifted}` : odds.column);
  const attackTold = ({ attack, odds, results = [] }) => html`<b>${columnOf(odds)}</b> ${attack}
    <small>${odds?.strengths?.join(" : ") ?? ""}${results.length ? `; ${results.filter((one) => one.probability !== 0).map((one) => `${one.result} ${one.probability}`).join(", ")}` : ""}</small>`;
  const wayTold = (way) => html`${way.move} <small>${way.mp} MP${way.odds ? `, ${way.odds}` : ""}${way.fights && way.rolls && way.chance !== 1 && way.chance !== "" ? `, succeeds ${way.chance}` : ""}${way.stop.length && !way.fights ? `, must stop (${way.stop.map((one) => one.rule).join(", ")})` : ""}</small>`;

  function panel(make) {
    if (!found) return nothing;
    const list = (heading, ways) => (ways.length ? html`<h3>${heading}</h3><ul class="plain">${ways.map((way) => html`<li><button type="button" class="link" data-move=${way.move ?? way.attack} @click=${() => make(way.move ?? way.attack)}>${way.move ? wayTold(way) : attackTold(way)}</button></li>`)}</ul>` : nothing);
    return html`<section id="hex" aria-label="Hex ${label}"><h2>Hex ${label}</h2>
      ${list("Can come", found.come)} ${list("Can fight there", found.fights)} ${list("Can attack it", found.attacks)}
      ${found.come.length || found.fights.length || found.attacks.length ? nothing : html`<p>Nobody can come, or fight there, by itself; take a unit and send it there to see why not.</p>`}</section>`;
  }

  return { ask, forget, panel, columnOf, asked: () => label };
}
