export function setupPanel(app) { return { panel: () => app.html`<p>…</p>`, paints: () => false }; }
