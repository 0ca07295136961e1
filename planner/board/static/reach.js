// Where a unit can go, painted: hundreds of hexes as a path for each shade, and their numbers as strokes of two paths. An element and
// a text for each hex took the browser seven times as long.
const WIDE = 6.6; // from one sign to the next, for signs as high as 8
const STROKES = { // from the lower left corner, x to the right, y upwards
  0: ["1.5 0 0 2 0 6 1.5 8 3.5 8 5 6 5 2 3.5 0 1.5 0"], 1: ["1 6.4 3 8 3 0", "1 0 5 0"],
  2: ["0 6.2 1.5 8 3.5 8 5 6.4 5 5 0 0 5 0"], 3: ["0 7 1.2 8 3.6 8 5 6.6 5 5.6 3.6 4.3 2 4.3", "3.6 4.3 5 3 5 1.5 3.6 0 1.2 0 0 1"],
  4: ["3.8 0 3.8 8 0 2.4 5 2.4"], 5: ["4.6 8 .6 8 .3 4.5 3.4 4.7 5 3.2 5 1.6 3.5 0 1.2 0 0 1"],
  6: ["4.6 7.4 3.4 8 1.6 8 0 6 0 1.8 1.5 0 3.5 0 5 1.6 5 3 3.5 4.6 1.5 4.6 0 3"], 7: ["0 8 5 8 1.8 0"],
  8: ["1.5 4.3 .2 5.5 .2 6.9 1.5 8 3.5 8 4.8 6.9 4.8 5.5 3.5 4.3 1.5 4.3 0 2.9 0 1.3 1.5 0 3.5 0 5 1.3 5 2.9 3.5 4.3"],
  9: ["5 5 3.5 3.4 1.5 3.4 0 5 0 6.4 1.5 8 3.5 8 5 6.2 5 2 3.4 0 1.6 0 .4 .6"],
  "/": ["0 -1 4.6 9"], "-": ["1 4 4.5 4"], ".": ["2 0 2.6 0"], "?": ["0 6.4 1.4 8 3.6 8 5 6.6 5 5.4 2.5 3.8 2.5 2.6", "2.5 .1 2.5 0"],
  "✕": ["0 1 5 7", "0 7 5 1"], "■": ["1 2 5 2 5 6 1 6 1 2", "2.5 3.5 3.5 3.5 3.5 4.5 2.5 4.5 2.5 3.5"], " ": [],
};
const FRACTIONS = { "½": [1, 2], "¼": [1, 4], "¾": [3, 4], "⅓": [1, 3], "⅔": [2, 3] };

// "2 1/2", "13½", "7/2", "3" or 3 as a number, good enough to compare and shade.
export function numberOf(text) {
  const plain = String(text).replace(/[½¼¾⅓⅔]/, (sign) => ` ${FRACTIONS[sign].join("/")}`).trim();
  return plain.split(" ").reduce((sum, part) => { const [a, b = 1] = part.split("/").map(Number); return sum + a / b; }, 0);
}

const lengthOf = (text) => [...text].reduce((sum, sign) => sum + (FRACTIONS[sign] ? 1.3 : 1), 0) * WIDE;

// The strokes of a text whose first sign begins at a place, as lists of points; what has no strokes is left out.
function strokes(text, x, y, size) {
  const made = [];
  let at = x;
  for (const sign of text) {
    if (FRACTIONS[sign]) {
      const [above, below] = FRACTIONS[sign];
      made.push(...strokes(String(above), at, y - 3.6 * size, size * 0.55), ...strokes("/", at + 2 * size, y, size * 0.8), ...strokes(String(below), at + 5 * size, y, size * 0.55));
    }
    for (const line of STROKES[sign] ?? []) {
      const numbers = line.split(" ").map(Number);
      made.push(numbers.filter((_, index) => index % 2 === 0).map((a, index) => [at + a * size, y - numbers[2 * index + 1] * size]));
    }
    at += lengthOf(sign) * size;
  }
  return made;
}

// Lines as a path from wherever one is: the same in every hex, so that it is made once.
function relative(lines) {
  let made = "", from = [0, 0];
  for (const line of lines) {
    line.forEach((point, index) => {
      const to = point.map((value) => Math.round(10 * value));
      made += `${index ? "l" : "m"}${(to[0] - from[0]) / 10} ${(to[1] - from[1]) / 10}`;
      from = to;
    });
  }
  return made;
}

const written = new Map();
function writing(text, size) {
  const key = `${size} ${text}`;
  if (!written.has(key)) written.set(key, relative(strokes(text, (-(lengthOf(text) - 1.6) * size) / 2, 29, size)));
  return written.get(key);
}

// What is shown of hexes, { to, text, kind, share: 0 cheap, 1 dear }, as the attributes of paths, the lowest first.
export function reachPaths(shown, where, corners) {
  const hex = relative([corners.split(" ").map((point) => point.split(",").map((value) => 0.94 * value))]);
  const shades = new Map(), near = [], far = [];
  for (const { to, text, kind, share } of shown) {
    const at = `M${where.get(to).join(" ")}`;
    const shade = kind === "alone" ? (0.58 - 0.4 * Math.round(16 * share) / 16).toFixed(3) : kind;
    if (!shades.has(shade)) shades.set(shade, { kind, shade, d: [] });
    shades.get(shade).d.push(at + hex + "z");
    near.push(at + writing(text, 1));
    far.push(at + writing(text, 2.4));
  }
  return [
    ...[...shades.values()].map(({ kind, shade, d }) => ({ class: `way ${kind}`, d: d.join(""), ...(kind === "alone" ? { "fill-opacity": shade } : {}) })),
    ...[["near", near], ["far", far]].flatMap(([when, lines]) => ["halo", "ink"].map((what) => ({ class: `mp ${when} ${what}`, d: lines.join("") }))),
  ];
}
