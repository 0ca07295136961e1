// The map: the parts of the SVG that `draw` makes, of which only those are replaced that are new, and what lies over them.
import { flatten } from "./ground.js";
import { numberOf, reachPaths } from "./reach.js";

const SVG = "http://www.w3.org/2000/svg";

export const element = (name, attributes = {}, text = "") => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
};

const parsed = (text) => document.importNode(new DOMParser().parseFromString(text.replace(/^<(\w+)/, `<$1 xmlns="${SVG}"`), "image/svg+xml").documentElement, true);

export class Map_ {
  constructor(stage) {
    this.svg = element("svg", { id: "p", role: "img" });
    this.style = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.style];
    this.under = element("g", { id: "under" });
    this.over = element("g", { id: "over" });
    this.ring = element("circle", { id: "p-ring", class: "ring off", r: 30 });
    this.texts = [];
    this.nodes = [];
    this.reached = new Map();
    this.where = new Map(); // by the label of each hex: where its middle is
    stage.append(this.svg);
  }

  // Show a position; tells whether the map is another one than before.
  take({ viewBox, counter, parts, style, description }) {
    const another = this.svg.getAttribute("viewBox") !== viewBox || parts.length !== this.texts.length;
    const made = parts.map((text, index) => (another || text !== this.texts[index] ? parsed(text) : null));
    const defs = made[0] ?? this.nodes[0];
    this.corners = defs.querySelector("polygon")?.getAttribute("points") ?? "";
    // The hexes are drawn anew if they, or the drawings of terrain, are others.
    const at = parts.findIndex((text) => text.startsWith('<g class="hexes">'));
    const drawings = made[0] ? [...defs.querySelectorAll('[id^="p-t"]')].map((one) => one.outerHTML).join("") : this.drawings;
    if (drawings !== this.drawings && at > 0) made[at] ??= parsed(parts[at]);
    this.drawings = drawings;
    if (made[at]) this.where = flatten(made[at], defs, this.corners, element);
    if (another) {
      this.svg.setAttribute("viewBox", viewBox);
      this.svg.dataset.counter = counter;
      this.nodes = made;
      this.svg.replaceChildren(...made, this.over, this.ring);
      this.style.replaceSync(style);
    } else {
      made.forEach((node, index) => {
        if (!node) return;
        this.nodes[index].replaceWith(node);
        this.nodes[index] = node;
      });
    }
    this.texts = parts;
    this.svg.setAttribute("aria-label", description);
    this.dusk = this.svg.querySelector(".dusk");
    this.dusk.after(this.under);
    return another;
  }

  hex(label) { return this.svg.querySelector(`[data-hex="${CSS.escape(label)}"]`); }

  // The counter that lies on top in a hex, of which a plain square is seen from afar.
  top(label) { return [...this.svg.querySelectorAll(`[data-at="${CSS.escape(label)}"]:not(.off) [data-unit]`)].at(-1)?.dataset.unit ?? null; }

  unit(name) { return this.svg.querySelector(`[data-unit="${CSS.escape(name)}"]`); }

  // The label of the hex that is nearest to a place on the map; null where there is none.
  labelAt(x, y) {
    let best = null, least = 40 ** 2;
    for (const [label, [hx, hy]] of this.where) {
      const far = (x - hx) ** 2 + (y - hy) ** 2;
      if (far < least) [best, least] = [label, far];
    }
    return best;
  }

  // The hexside nearest to a place: the labels beside it.
  sideAt(x, y) {
    const near = [...this.where].map(([label, [hx, hy]]) => [(x - hx) ** 2 + (y - hy) ** 2, label]).sort((a, b) => a[0] - b[0]);
    return near.length > 1 && near[1][0] < 70 ** 2 ? [near[0][1], near[1][1]] : null;
  }

  // Where a unit can go: `ways` by itself, `helped` only with the help of others.
  showReach(ways, helped = []) {
    const most = Math.max(1, ...ways.map((way) => numberOf(way.mp)));
    this.reached = new Map(); // by label: what is said of the hex, and how it is shaded
    for (const way of [...ways, ...helped]) {
      if (!this.where.has(way.to) || this.reached.has(way.to)) continue;
      const help = way.help !== undefined, kind = help ? "helped" : way.fights ? "fight" : "alone";
      const text = (help ? "?" : "") + way.mp + (way.stop?.length ? "■" : "") + (way.fights ? "✕" : "");
      this.reached.set(way.to, { to: way.to, kind, text, share: Math.min(1, numberOf(way.mp) / most) });
    }
    const paths = reachPaths(this.reached.values(), this.where, this.corners);
    this.under.replaceChildren(...paths.map((one) => element("path", one)));
  }

  showArrow(path, kind = "") {
    const points = path.map((label) => this.where.get(label)).filter(Boolean);
    this.over.querySelector(".arrow")?.remove();
    if (points.length < 2) return;
    const [[x, y], [bx, by]] = [points.at(-1), points.at(-2)], turn = (Math.atan2(y - by, x - bx) * 180) / Math.PI;
    const group = element("g", { class: `arrow ${kind}` });
    group.append(element("polyline", { points: points.map((point) => point.join(",")).join(" ") }));
    group.append(element("path", { d: "M-14-9L2 0L-14 9Z", transform: `translate(${x} ${y}) rotate(${turn.toFixed(1)})` }));
    this.over.append(group);
  }

  // The ways of several at once.
  showWays(ways) {
    this.over.querySelector(".ways")?.remove();
    if (!ways.length) return;
    const group = element("g", { class: "ways" });
    for (const { path, fights } of ways) {
      const points = path.map((label) => this.where.get(label)).filter(Boolean);
      group.append(element("polyline", { points: points.map((point) => point.join(",")).join(" "), class: fights ? "fight" : "" }));
      group.append(element("circle", { cx: points[0][0], cy: points[0][1], r: 25, class: fights ? "fight" : "" }));
    }
    this.over.prepend(group);
  }

  // What is wrong, at its hex: the paragraph; and a ring about each unit that is to blame.
  showBlame(violations) {
    this.clearBlame();
    const group = element("g", { class: "blame" });
    const told = new Set();
    for (const { hex, rule, blame } of violations) {
      const where = this.where.get(hex);
      if (where && !told.has(hex + rule)) {
        const sign = element("g", { transform: `translate(${where[0]} ${where[1] - 20})` });
        sign.append(element("rect", { x: -20, y: -9, width: 40, height: 17, rx: 4 }), element("text", { y: 4 }, `✕ ${rule}`));
        group.append(sign);
        told.add(hex + rule);
      }
      for (const unit of blame) {
        const at = this.unit(unit)?.closest("[data-at]")?.dataset.at;
        if (at && this.where.has(at)) group.append(element("circle", { cx: this.where.get(at)[0], cy: this.where.get(at)[1], r: 27 }));
      }
    }
    this.over.append(group);
  }

  clearBlame() { this.over.querySelector(".blame")?.remove(); }

  showPicked(labels) {
    this.over.querySelector(".picked")?.remove();
    const group = element("g", { class: "picked" });
    for (const label of labels) {
      const where = this.where.get(label);
      if (where) group.append(element("polygon", { points: this.corners, transform: `translate(${where.join(" ")})` }));
    }
    this.over.prepend(group);
  }

  clear() { this.reached = new Map(); this.under.replaceChildren(); this.over.replaceChildren(); }
}

// A small picture of a position after so many moves, as the address of an image.
export function thumbnail({ viewBox, parts, style }, shown) {
  const text = `<svg xmlns="${SVG}" id="p" viewBox="${viewBox}" width="480">${parts.join("")}</svg>`;
  const made = new DOMParser().parseFromString(text, "image/svg+xml");
  made.querySelector(".dusk")?.remove();
  for (const one of made.querySelectorAll("[data-from]")) {
    one.classList.toggle("off", shown < Number(one.dataset.from) || shown >= Number(one.dataset.to));
  }
  // The style comes last, as text: the page's own policy forbids it, that of an image doesn't.
  const drawn = new XMLSerializer().serializeToString(made).replace(">", () => `><style>${style}</style>`);
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`;
}
