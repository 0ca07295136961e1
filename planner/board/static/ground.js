// The hexes of a map without a place of their own each. The browser's compositor goes through everything that has a `transform`
// whenever the map is moved: of 5,000 hexes that took it 13 ms a frame. So their drawings are put together, some hundred hexes to
// a path, and a hex is what can be touched alone.
const BLOCK = 600; // units of the map: what lies in one square of that size is drawn together

// The data of a path, moved.
function moved(d, dx, dy) {
  return d.replace(/([MLHVCSQTA])([^A-Za-z]*)/g, (_, command, rest) => {
    const numbers = (rest.match(/-?(?:\d*\.)?\d+/g) ?? []).map(Number);
    const shift = (value, at) => {
      if (command === "A") return at % 7 === 5 ? value + dx : at % 7 === 6 ? value + dy : value;
      return value + (command === "H" ? dx : command === "V" || at % 2 ? dy : dx);
    };
    return command + numbers.map(shift).map((value) => Number(value.toFixed(1))).join(" ");
  });
}

const dataOf = (shape) => (shape.localName === "path" ? shape.getAttribute("d") : `M${shape.getAttribute("points")}Z`);
const shapesOf = (drawing) => [...drawing.querySelectorAll("path, polygon")];
const isPlain = (drawing) => drawing && [...drawing.querySelectorAll("*")].every((one) => ["g", "path", "polygon"].includes(one.localName) && !one.hasAttribute("transform"));

// A drawing, once for each of some places.
function repeated(drawing, places, element) {
  const made = drawing.cloneNode(true), copies = shapesOf(made);
  made.removeAttribute("id");
  shapesOf(drawing).forEach((shape, index) => {
    const path = element("path", { d: places.map(([x, y]) => moved(dataOf(shape), x, y)).join("") });
    for (const { name, value } of shape.attributes) if (!["d", "points"].includes(name)) path.setAttribute(name, value);
    copies[index].replaceWith(path);
  });
  return made;
}

// Draw hexes, each a group with a title and a drawing that it uses, together. Tells where the middle of each is, by its label.
export function flatten(hexes, defs, corners, element) {
  const where = new Map(), blocks = new Map(), corner = corners.split(" ").map((pair) => pair.split(",").map(Number));
  for (const hex of [...hexes.querySelectorAll(":scope > [data-hex]")]) {
    const [x, y] = /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(hex.getAttribute("transform")).slice(1).map(Number);
    where.set(hex.dataset.hex, [x, y]);
    const used = hex.querySelector(":scope > use")?.getAttribute("href");
    if (!isPlain(used && defs.querySelector(used))) continue;
    const key = [Math.floor(x / BLOCK), Math.floor(y / BLOCK), used].join(" ");
    if (!blocks.has(key)) blocks.set(key, { used, places: [] });
    blocks.get(key).places.push([x, y]);
    const touched = element("polygon", { points: corner.map(([a, b]) => `${x + a},${y + b}`).join(" "), class: "touch", "data-hex": hex.dataset.hex });
    touched.append(hex.querySelector("title"));
    hex.replaceWith(touched);
  }
  hexes.prepend(...[...blocks.values()].map(({ used, places }) => repeated(defs.querySelector(used), places, element)));
  return where;
}
