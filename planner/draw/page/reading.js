// Tells what is in a hex: pointed at, tapped, or reached by the keyboard, always in the same panel; `more` has further lines of it.
export function reader(svg, here, map, ring = document.getElementById("p-ring"), more = () => []) {
  const hint = here.textContent;
  let chosen = null; // stays in the panel, ringed on the map, until something else is chosen
  let aim = null; // the hex at which arrow keys are, and the row and column that they keep to

  const about = (element) => element.querySelector(":scope > title")?.textContent ?? "";
  const named = (kind, label) => `[data-${kind}="${CSS.escape(label)}"]`;
  const hexOf = (label) => svg.querySelector(named("hex", label));

  // What an element of the map belongs to; null where there is nothing to tell.
  function spotOf(element) {
    const unit = element.closest("[data-unit], [data-marker]"), arrow = element.closest(".move");
    const mark = element.closest("[data-reach], [data-violation], [data-note]")?.dataset ?? {};
    const label = element.closest("[data-at]")?.dataset.at ?? element.closest("[data-hex]")?.dataset.hex
      ?? mark.reach ?? mark.violation ?? mark.note;
    return label || unit || arrow ? { label: label ?? "", unit, arrow } : null;
  }

  function line(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  // A counter or marker, so large that it can be read.
  function enlarged(piece) {
    const picture = document.createElementNS(svg.namespaceURI, "svg"), copy = piece.cloneNode(true);
    const half = "marker" in piece.dataset ? 8 : 18;
    picture.setAttribute("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
    picture.setAttribute("aria-hidden", "true");
    copy.removeAttribute("transform");
    copy.querySelector("title")?.remove();
    picture.append(copy);
    return picture;
  }

  function tell(spot) {
    if (!spot) { here.textContent = here.dataset.hint ?? hint; return; }
    const { label, unit, arrow } = spot;
    if (!label && !unit) { here.replaceChildren(line("p", about(arrow))); return; }
    const place = hexOf(label);
    const inside = [...svg.querySelectorAll(`${named("at", label)}:not(.off)`)];
    const pieces = inside.flatMap((group) => [...group.querySelectorAll("[data-unit], [data-marker]")]).reverse();
    const shown = pieces.length ? pieces : unit?.isConnected ? [unit] : [];
    const stack = document.createElement("div");
    stack.append(...shown.map(enlarged));
    const said = ["reach", "violation", "note"].map((kind) => `${named(kind, label)}:not(.off) title`).join(", ");
    const texts = [...shown.map(about), ...[...svg.querySelectorAll(said)].map((title) => title.textContent)];
    const first = place ? [about(place) || label, ...more(label)] : [];
    here.replaceChildren(...first.map((text) => line("p", text)), stack, ...texts.map((text) => line("p", text)));
    here.scrollTop = 0;
  }

  function mark(element) {
    ring.classList.toggle("off", !element);
    if (!element) return;
    const [x, y] = map.middle(element);
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
  }

  function choose(element) {
    chosen = spotOf(element);
    aim = null;
    mark(chosen && (hexOf(chosen.label) ?? chosen.unit));
    tell(chosen);
  }

  // Show on the map what a list names.
  function find(element) {
    const width = Math.min(map.width(), 700);
    map.centre(...map.middle(element), width, (width * map.height()) / map.width());
    choose(element);
    mark(element);
  }

  function nearest(cost) {
    let best = null, least = Infinity;
    for (const hex of svg.querySelectorAll("[data-hex]")) {
      const far = cost(...map.middle(hex));
      if (far < least - 0.01) [best, least] = [hex, far];
    }
    return best;
  }

  function goTo(hex, kept, across) {
    if (!hex) return;
    map.see(hex);
    choose(hex);
    aim = { hex, kept: kept ?? map.middle(hex), across };
  }

  // Begin at what is chosen, or in the middle of the view.
  function start() {
    const seen = svg.getBoundingClientRect();
    const middle = map.at(seen.x + seen.width / 2, seen.y + seen.height / 2);
    goTo((chosen && hexOf(chosen.label)) ?? nearest((x, y) => Math.hypot(x - middle[0], y - middle[1])));
  }

  // Go to the next hex in a direction, but keep to the row or column in which the way began.
  function go(dx, dy) {
    const [fromX, fromY] = map.middle(aim.hex), across = dx !== 0;
    const kept = aim.across === across ? aim.kept : [fromX, fromY];
    goTo(nearest((x, y) => {
      const along = (x - fromX) * dx + (y - fromY) * dy, aside = across ? y - kept[1] : x - kept[0];
      return along > 1 ? along + Math.abs(aside) : Infinity;
    }), kept, across);
  }

  return {
    choose, find, start, go,
    label: () => chosen?.label ?? null,
    again: () => tell(chosen),
    point: (element) => tell((element && spotOf(element)) ?? chosen),
    stepped: () => {
      if (chosen && !chosen.label) chosen = null;
      mark(chosen && hexOf(chosen.label));
      tell(chosen);
    },
  };
}
