// Puts the parts together: buttons, keys, light and dark, paper.
const svg = document.getElementById("p"), view = document.getElementById("view"), here = document.getElementById("here");
const map = mapView(svg, view);
const read = reader(svg, here, map);
const steps = stepper(svg, map, read.stepped);
handle(view, map, read.choose, read.point);

const press = (id, action) => document.getElementById(id)?.addEventListener("click", action);
press("larger", () => map.zoom(0.75));
press("smaller", () => map.zoom(1 / 0.75));
press("fit", map.fit);
press("first", () => steps.show(0));
press("previous", steps.previous);
press("next", steps.next);
press("final", steps.final);
document.getElementById("slider")?.addEventListener("input", (event) => steps.show(Number(event.target.value)));
document.getElementById("every")?.addEventListener("change", (event) => document.body.classList.toggle("every", event.target.checked));

document.addEventListener("click", (event) => {
  const go = event.target.closest("[data-go]");
  const link = event.target.closest("[data-unit-link], [data-hex-link]")?.dataset;
  if (go) steps.show(Number(go.dataset.go));
  if (!link) return;
  const [kind, name] = link.unitLink === undefined ? ["hex", link.hexLink] : ["unit", link.unitLink];
  const found = [...svg.querySelectorAll(`[data-${kind}="${CSS.escape(name)}"]`)].find((one) => !one.closest(".off"));
  if (found) read.find(found);
});

// -- keys

let reading = false; // whether arrow keys go from hex to hex

function readByKeys(on) {
  reading = on;
  here.setAttribute("aria-live", on ? "polite" : "off");
  view.classList.toggle("reading", on);
  if (on) read.start();
}

view.addEventListener("blur", () => readByKeys(false));

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onMap(event) {
  const arrow = ARROWS[event.key];
  if (event.key === "+" || event.key === "=") map.zoom(0.75);
  else if (event.key === "-") map.zoom(1 / 0.75);
  else if (event.key === "0") map.fit();
  else if (event.key === "Enter" && !reading) readByKeys(true);
  else if (event.key === "Escape" && reading) readByKeys(false);
  else if (reading && arrow && !event.shiftKey) read.go(...arrow);
  else return false;
  return true;
}

function onMoves(event) {
  if (event.target.id === "slider" || !steps.last || event.shiftKey) return false;
  if (event.key === "ArrowRight") steps.next();
  else if (event.key === "ArrowLeft") steps.previous();
  else if (event.key === "Home") steps.show(0);
  else if (event.key === "End") steps.final();
  else return /^[1-9]$/.test(event.key) && steps.choose(event.key);
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const arrow = ARROWS[event.key];
  if (event.shiftKey && arrow) map.pan(arrow[0] / 10, arrow[1] / 10);
  else if (!(view.contains(event.target) && onMap(event)) && !onMoves(event)) return;
  event.preventDefault();
});

// -- light and dark: as the system has it, until the button is pressed

const dark = document.getElementById("dark"), theme = document.getElementById("theme");
const isDark = () => matchMedia(dark.media).matches;

function setTheme(media) {
  dark.media = media;
  theme.setAttribute("aria-pressed", String(isDark()));
}

press("theme", () => setTheme(isDark() ? "not all" : "screen"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme(dark.media));
setTheme(dark.media);

// -- paper: the whole map, and below it the legend

const legend = document.getElementById("legend"), sheet = document.getElementById("sheet");
const keys = document.getElementById("keys");
let asBefore = null;

window.addEventListener("beforeprint", () => {
  const opened = [...document.querySelectorAll("details.paper:not([open])")];
  for (const element of opened) element.open = true;
  sheet.append(legend);
  const back = map.onPaper();
  asBefore = () => {
    for (const element of opened) element.open = false;
    keys.before(legend);
    back();
  };
});
window.addEventListener("afterprint", () => { asBefore?.(); asBefore = null; });

steps.show(Number(document.body.dataset.shown), false);
