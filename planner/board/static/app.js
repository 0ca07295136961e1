// The board: what is known, and the parts put together. Panels are drawn anew whenever something changes.
import { html, nothing, render } from "./vendor/lit-html.js";
import { handle } from "/page/view.js";
import { reader } from "/page/reading.js";
import { Lost, Refused, Server } from "./server.js";
import { Map_ } from "./map.js";
import { stageView } from "./stage.js";
import { playPanel } from "./play.js";
import { suggestPanel } from "./suggest.js";
import { setupPanel } from "./setup.js";
import { openPanel } from "./open.js";

const byId = (id) => document.getElementById(id);
// What is done in a window stays there when it is loaded again, whatever has been done in another one meanwhile; a new window goes on
// with what was done last in any.
const kept = (name) => { try { return JSON.parse(sessionStorage.getItem(name) ?? localStorage.getItem(name)); } catch { return null; } };
function keep(name, value) {
  let held = false;
  for (const place of [sessionStorage, localStorage]) {
    try { place.setItem(name, JSON.stringify(value)); held = true; } catch { try { place.removeItem(name); } catch { /* forbidden */ } }
  }
  return held; // otherwise there is no room
}

const view = byId("view"), stage = byId("stage"), here = byId("here");
const map = new Map_(stage), camera = stageView(view, stage);

export const app = {
  html, nothing, map, camera, kept, keep,
  server: new Server((game) => keep("planner.game", game)),
  state: null, // side, phase, who stands where, what has been made
  picture: null, // title, legend, units
  tab: "play",
  chosen: null, // the label of the hex that is chosen
  message: "", wrong: false, reasons: null,
  draw, say, attempt, refresh, open, choose, nearest, download, show, inSight,
};

const panels = { open: openPanel(app), play: playPanel(app), suggest: suggestPanel(app), setup: setupPanel(app) };
const TABS = [["play", "Play"], ["suggest", "Best moves"], ["setup", "Set up"], ["open", "Open"]];
app.panels = panels;

// -- drawing the panels

// What a touch does is told until something has been touched.
function tellHint() {
  const hint = panels[app.tab].hint?.() ?? "", shown = here.textContent === (here.dataset.hint ?? here.textContent);
  here.dataset.hint = hint;
  if (shown) here.textContent = hint;
}

// Whoever works with the keyboard stays near when what has been pressed is gone, or can't be pressed any more.
const usable = (one) => one.isConnected && !one.disabled && one.checkVisibility();
let last = null; // of the panel, where somebody was last

function keepFocus(had) {
  if (usable(had)) return;
  const near = [...(had.closest(".row")?.querySelectorAll("button") ?? [])].find(usable);
  (near ?? byId("panel")).focus({ preventScroll: true });
}

// What is said of the hex that is chosen changes with who has been taken up.
let about = "";
function tellAbout() {
  const now = (app.chosen && panels[app.tab].about?.(app.chosen) || []).join("; ");
  if (now === about) return;
  about = now;
  read.again();
}

function draw() {
  const had = byId("side").contains(document.activeElement) ? document.activeElement : null;
  drawSide();
  if (had) keepFocus(had);
}

function drawSide() {
  const legend = app.picture?.legend ?? [];
  render(html`
    <div class="tabs" role="tablist" aria-label="What to do">
      ${TABS.map(([name, text]) => html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel"
        aria-selected=${String(app.tab === name)} tabindex=${app.tab === name ? 0 : -1} @click=${() => turnTo(name)} @keydown=${tabKeys}>${text}</button>`)}
    </div>
    <div id="panel" role="tabpanel" aria-labelledby="tab-${app.tab}" tabindex="-1">
      <p class="said ${app.wrong ? "bad" : ""}" id="message" ?hidden=${!app.message}>${app.message}</p>
      ${panels[app.tab].panel()}
    </div>
    <details class="part paper legend" id="legend"><summary><h2>Legend</h2></summary>
      <div class="signs" id="p-legend">${legend.map(([heading, entries]) => html`<section><h3>${heading}</h3><ul>
        ${entries.map(([sign, text], at) => html`<li>${sign ? drawing(sign, `${heading} ${at}`) : nothing}<span>${text}</span></li>`)}</ul></section>`)}</div>
    </details>
    <details class="part" id="keys"><summary><h2>Keys</h2></summary>
      <label><input type="checkbox" id="letters" .checked=${letters} @change=${(event) => { letters = event.target.checked; keep("planner.letters", letters); }}> Letters act wherever one is, but in fields; otherwise on the map alone</label>
      <dl>${KEYS.map(([key, text]) => html`<dt>${key}</dt><dd>${text}</dd>`)}</dl>
    </details>`, byId("side"));
  byId("title").textContent = app.picture?.title || "planner";
  byId("subtitle").textContent = app.picture?.subtitle ?? "";
  tellHint();
  tellAbout();
  view.classList.toggle("painting", app.tab === "setup" && panels.setup.paints());
}

const signs = new Map(); // by their places: { text, made }
function drawing(text, place) {
  if (signs.get(place)?.text !== text) {
    const made = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    signs.set(place, { text, made: document.importNode(made, true) });
  }
  return signs.get(place).made;
}

// Whoever talks to the computer, or touches keys unawares, can keep letters from acting beside the map.
let letters = kept("planner.letters") ?? true;

const KEYS = [
  ["Enter", "on the map: arrows go from hex to hex; Enter again takes a unit, and sends it to a hex"],
  ["Escape", "leaves the unit, then the hexes; beside the map: goes to the map"], ["p", "from the map to what is beside it, where you were last"], ["u", "undo"], ["e", "end the phase"], ["n", "the next unit that may move"], ["t", "in setting up: turns the counter to its next side"],
  ["w, right button, long touch", "who can come to the hex, or fight there, and at which odds"],
  ["+ − 0", "zoom in, out, the whole map"], ["Shift with arrows", "move the map"],
  ["drag, pinch, wheel", "move and zoom the map; a unit that is dragged goes to the hex"],
];

function tabKeys(event) {
  const at = TABS.findIndex(([name]) => name === app.tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (to === undefined) return;
  turnTo(TABS[(to + TABS.length) % TABS.length][0]);
  byId(`tab-${app.tab}`).focus();
  event.preventDefault();
  event.stopPropagation();
}

async function turnTo(name) {
  if (app.tab === name) return;
  panels[app.tab].leave?.();
  app.tab = name;
  show("");
  await panels[name].enter?.();
  draw();
}
app.turnTo = turnTo;

// Say something in the panel, and aloud.
function show(text, wrong = false) {
  app.message = text;
  app.wrong = wrong;
  if (text) say(text);
  draw();
  if (wrong) inSight("message");
}

// On a small screen the panel may be anywhere: what is told is brought into sight.
function inSight(id) { byId(id)?.scrollIntoView({ block: "nearest" }); }

function say(text) { byId("live").textContent = text; }

// Do something; what the planner refuses is told.
async function attempt(work) {
  try {
    const found = await work();
    if (byId("banner").textContent) byId("banner").textContent = "";
    return found;
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    if (error instanceof Lost) {
      byId("banner").textContent = error.message;
      waitForServer();
    } else if (error instanceof Refused) show(error.message, true);
    else { show(`Something went wrong on this page: ${error.message}`, true); throw error; }
    return undefined;
  }
}

let waiting = false;
async function waitForServer() {
  if (waiting) return;
  waiting = true;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (await fetch("/health").then((reply) => reply.ok, () => false)) break;
  }
  waiting = false;
  await attempt(async () => {
    if (app.server.begin) await app.server.again();
    app.state = app.server.begin ? await app.server.ask("state") : null;
    await refresh();
    show("The planner answers again; everything is as it was.");
  });
}

// -- the position

let hovering = null;
const read = reader(map.svg, here, camera, map.ring, (label) => panels[app.tab].about?.(label) ?? []);

// Draw the position as it is; with moves, what comes of them as well.
async function refresh(moves = []) {
  const picture = await app.server.ask("picture", { moves });
  take(picture);
}

function take(picture) {
  app.picture = picture;
  const another = map.take(picture);
  if (another) {
    camera.take(map.svg);
    camera.fit();
  }
  read.stepped();
  draw();
}
app.take = take;

// Begin with a position: as it is said with the verb `position`.
async function open(begin, done = []) {
  app.state = await app.server.open(begin, done);
  app.chosen = null;
  map.clear();
  for (const panel of Object.values(panels)) panel.forget?.();
  await refresh();
  camera.fit();
  say(`${app.picture.title}. ${app.picture.subtitle}`);
}

// Units by how near the middle of what is seen they stand.
function nearest(units) {
  const { left, right, top, bottom } = view.getBoundingClientRect(), [x, y] = camera.at((left + right) / 2, (top + bottom) / 2);
  const far = ([hx, hy] = [Infinity, Infinity]) => (x - hx) ** 2 + (y - hy) ** 2;
  return units.map((unit) => [far(map.where.get(app.state.at[unit])), unit]).sort((a, b) => a[0] - b[0]).map(([, unit]) => unit);
}

function choose(label) {
  app.chosen = label;
  const hex = label && map.hex(label);
  if (hex) read.choose(hex);
}

function labelOf(target) {
  return target?.closest?.("[data-at]")?.dataset.at ?? target?.closest?.("[data-hex]")?.dataset.hex ?? null;
}

const unitAt = (target, label) => target?.closest?.("[data-unit]")?.dataset.unit ?? (label && target?.closest?.(".far") ? map.top(label) : null);

function tapped(target, event) {
  if (longTouch) return;
  const label = labelOf(target) ?? map.labelAt(...camera.at(event.clientX, event.clientY));
  read.choose(target);
  app.chosen = label;
  const unit = unitAt(target, label);
  if (label || unit) attempt(async () => panels[app.tab].tap?.(label, unit, event));
  draw();
}

// A unit that is dragged goes to the hex where it is dropped; in setting up, what is painted is painted.
function grab(event) {
  const unit = unitAt(event.target), from = labelOf(event.target);
  return panels[app.tab].grab?.(unit, from, event) ?? null;
}

// The other button of a mouse, a long touch, or the key for menus: what is asked of the hex.
const LONG = 600, SLIP = 6; // milliseconds of a long touch, pixels that it may slip
let longTouch = false, touching = 0, touchedAt = [0, 0];

const ask = (target, x, y) => attempt(async () => panels[app.tab].menu?.(labelOf(target) ?? map.labelAt(...camera.at(x, y))));

view.addEventListener("pointerdown", (event) => {
  longTouch = false;
  clearTimeout(touching);
  if (event.pointerType !== "touch" || !event.isPrimary) return;
  touchedAt = [event.clientX, event.clientY];
  touching = setTimeout(() => { longTouch = true; ask(event.target, ...touchedAt); }, LONG); // what is let go then is no tap
}, { capture: true });
view.addEventListener("pointermove", (event) => {
  if (Math.hypot(event.clientX - touchedAt[0], event.clientY - touchedAt[1]) > SLIP) clearTimeout(touching);
});
for (const name of ["pointerup", "pointercancel"]) view.addEventListener(name, () => clearTimeout(touching));

view.addEventListener("contextmenu", (event) => {
  if (!panels[app.tab].menu) return;
  event.preventDefault();
  if (event.pointerType === "touch") return;
  if (event.button === 2) ask(event.target, event.clientX, event.clientY);
  else attempt(async () => panels[app.tab].menu(app.chosen)); // the key for menus
});

handle(view, camera, tapped, (target) => { if (target !== hovering) { hovering = target; read.point(target); } }, grab);

// -- keys

const press = (id, action) => byId(id).addEventListener("click", action);
press("larger", () => camera.zoom(0.75));
press("smaller", () => camera.zoom(1 / 0.75));
press("fit", camera.fit);

let reading = false;
function readByKeys(on) {
  reading = on;
  here.setAttribute("aria-live", on ? "polite" : "off");
  view.classList.toggle("reading", on);
  if (on) { read.start(); app.chosen = read.label(); }
}
view.addEventListener("blur", () => readByKeys(false));

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onMap(event) {
  const arrow = ARROWS[event.key];
  if (event.shiftKey && arrow) camera.pan(arrow[0] / 10, arrow[1] / 10);
  else if (event.key === "+" || event.key === "=") camera.zoom(0.75);
  else if (event.key === "-") camera.zoom(1 / 0.75);
  else if (event.key === "0") camera.fit();
  else if (event.key === "Enter" && !reading) readByKeys(true);
  else if (event.key === "Enter") attempt(async () => panels[app.tab].enterHex?.(app.chosen));
  else if (event.key === "Escape" && panels[app.tab].escape?.()) draw();
  else if (event.key === "Escape" && reading) readByKeys(false);
  else if (reading && arrow) { read.go(...arrow); app.chosen = read.label(); panels[app.tab].at?.(app.chosen); draw(); }
  else return false;
  return true;
}

byId("side").addEventListener("focusin", (event) => { last = event.target; });

// Between the map and what is beside it.
function across(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return false;
  if (event.key === "Escape" && byId("side").contains(event.target)) {
    view.focus();
    if (app.state) readByKeys(true);
  } else if (event.key === "p" && view.contains(event.target)) (last && usable(last) ? last : byId("panel")).focus();
  else return false;
  event.preventDefault();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (across(event)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const there = view.contains(event.target);
  if (!(there && onMap(event)) && !((there || letters || event.key.length > 1) && panels[app.tab].key?.(event.key))) return;
  event.preventDefault();
});

// -- light and dark, files

const dark = byId("dark"), theme = byId("theme");
const isDark = () => matchMedia(dark.media).matches;
function setTheme(media) {
  dark.media = media;
  theme.setAttribute("aria-pressed", String(isDark()));
}
press("theme", () => { keep("planner.theme", isDark() ? "not all" : "screen"); setTheme(isDark() ? "not all" : "screen"); });
setTheme(kept("planner.theme") ?? dark.media);

export function download(name, text, kind = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

window.addEventListener("beforeprint", () => { byId("legend").open = true; });

// -- the beginning: what the command names, what was played last, or a list to choose from

attempt(async () => {
  const asked = await fetch("/api/opened").then((reply) => (reply.ok ? reply.json() : {}), () => ({}));
  const link = new URLSearchParams(location.search).get("scenario");
  const begin = link ? { scenario: link } : asked.scenario || asked.text ? asked : null;
  const game = kept("planner.game");
  // A page that is loaded again goes on where it was, whatever has become of what it began with.
  const mark = JSON.stringify(begin), again = sessionStorage.getItem("planner.begun") === mark;
  sessionStorage.setItem("planner.begun", mark);
  const same = game && (!begin || again || ["scenario", "text"].every((key) => game.begin[key] === begin[key]));
  try {
    if (same) await open(game.begin, game.done);
    else if (begin) await open(begin);
    else app.tab = "open";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (same) {
      await open(game.begin);
      show("What you had done isn't possible any more, since what it began with has changed: it begins anew.", true);
    } else app.tab = "open";
  }
  await panels[app.tab].enter?.();
  draw();
});
window.planner = app;
