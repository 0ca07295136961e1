// The objective and the hard requirements as a form: the terms of the reference, each with its fields.
export function objectiveForm(app, chart, put) {
  const { html, nothing } = app;
  let tiers = [], require = [], kind = "hold", values = {}, into = "0";

  async function read() {
    const { scenario } = await app.server.ask("save");
    tiers = structuredClone(scenario.tier ?? []);
    require = structuredClone(scenario.require ?? []);
  }

  const words = (text) => text.split(/[\s,]+/).filter(Boolean);
  const one = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);

  function term() {
    const made = { kind };
    for (const field of chart().terms[kind].fields) {
      const text = (values[field.name] ?? "").trim();
      if (!text) continue;
      if (field.sort === "names") made[field.name] = words(text);
      else if (field.sort === "flag") made[field.name] = text === "true";
      else if (field.sort === "table") made[field.name] = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : /^\d/.test(text) ? one(text) : { units: words(text) };
      else made[field.name] = one(text);
    }
    return made;
  }

  async function add(event) {
    event.preventDefault();
    let made;
    try { made = term(); } catch { return app.show("A table must be written as JSON, or as the ids of units.", true); }
    const now = structuredClone(tiers), hard = structuredClone(require);
    if (into === "require") hard.push(made);
    else if (now[Number(into)]) now[Number(into)].terms.push(made);
    else now.push({ terms: [made] });
    if (await put(now, hard) !== false) values = {};
    app.draw();
    return undefined;
  }

  const told = (what) => `${what.kind} ${Object.entries(what).filter(([key]) => key !== "kind").map(([key, value]) => `${key}: ${typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : value}`).join(", ")}`;

  async function take(tier, at) {
    const now = structuredClone(tiers), hard = structuredClone(require);
    if (tier === null) hard.splice(at, 1);
    else { now[tier].terms.splice(at, 1); if (!now[tier].terms.length) now.splice(tier, 1); }
    await put(now, hard);
  }

  const suggestions = (field) => {
    if (["units", "unit", "target", "targets", "of", "by", "against", "next_to"].includes(field.name)) return Object.keys(app.picture.units);
    return ["hexes", "at", "not_at", "to"].includes(field.name) && app.chosen ? [app.chosen] : [];
  };

  function panel() {
    const list = (terms, tier) => html`<ul class="plain">${terms.map((what, at) => html`<li>${told(what)}
      <button type="button" aria-label="Take away: ${told(what)}" @click=${() => app.attempt(() => take(tier, at))}>✕</button></li>`)}</ul>`;
    const { terms } = chart();
    return html`<fieldset id="objective"><legend>What is to be had</legend>
      ${tiers.map((tier, at) => html`<p class="said"><b>${at + 1}. ${tier.name ?? ""}</b></p>${list(tier.terms, at)}`)}
      ${require.length ? html`<p class="said"><b>Required</b></p>${list(require, null)}` : nothing}
      <form @submit=${(event) => app.attempt(() => add(event))}>
        <label>Add <select id="kind" @change=${(event) => { kind = event.target.value; values = {}; app.draw(); }}>${Object.keys(terms).map((name) => html`<option value=${name} ?selected=${name === kind}>${name.replaceAll("_", " ")}: ${terms[name].short}</option>`)}</select></label>
        <p class="said">${terms[kind].about}</p>
        ${terms[kind].fields.filter((field) => field.required || field.name !== "weight").map((field) => html`<label title=${field.about}>${field.name.replaceAll("_", " ")}${field.required ? "" : " (may be absent)"}
          <input id="field-${field.name}" .value=${values[field.name] ?? ""} ?required=${field.required} list="list-${field.name}" @input=${(event) => { values[field.name] = event.target.value; }}></label>
          <datalist id="list-${field.name}">${suggestions(field).map((name) => html`<option value=${name}></option>`)}</datalist>`)}
        <label>as <select id="into" @change=${(event) => { into = event.target.value; }}>
          ${tiers.map((tier, at) => html`<option value=${at} ?selected=${into === String(at)}>part of tier ${at + 1}</option>`)}
          <option value=${tiers.length} ?selected=${into === String(tiers.length)}>a tier of its own, after these</option><option value="require" ?selected=${into === "require"}>a hard requirement</option></select></label>
        <button type="submit" id="add-term">Add</button></form></fieldset>`;
  }
  return { panel, read };
}
