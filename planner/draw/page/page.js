"use strict";
(() => {
  const svg = document.getElementById("p");
  const view = document.getElementById("view");
  const here = document.getElementById("here");
  const ring = document.getElementById("p-ring");
  const last = Number(document.body.dataset.last);
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  let box = whole.slice();
  let frame = Number(document.body.dataset.shown);

  // -- moves

  const timed = [...document.querySelectorAll("[data-from]")].map((element) => ({
    element, from: Number(element.dataset.from), to: Number(element.dataset.to),
  }));
  const moves = [...document.querySelectorAll("li[data-frame]")];

  // Scrolls the list alone: neither the buttons nor the map leave the window.
  function reveal(item) {
    const box = item.closest("aside"), { top, bottom } = item.getBoundingClientRect();
    const above = document.querySelector(".stepping").getBoundingClientRect().bottom, below = box.getBoundingClientRect().bottom;
    if (top < above) box.scrollTop -= above - top;
    else if (bottom > below) box.scrollTop += Math.min(bottom - below, top - above);
  }

  function show(number, speak = true) {
    frame = Math.max(0, Math.min(last, number));
    for (const { element, from, to } of timed) element.classList.toggle("off", frame < from || frame >= to);
    for (const arrow of svg.querySelectorAll(".move")) arrow.classList.toggle("current", Number(arrow.dataset.move) === frame);
    for (const item of moves) {
      const current = Number(item.dataset.frame) === frame;
      const details = item.querySelector("details");
      if (current) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
      if (details) details.open = current;
      if (current && speak) reveal(item);
    }
    document.body.dataset.shown = String(frame);
    ring.classList.add("off");
    if (!last) return;
    document.getElementById("slider").value = String(frame);
    document.getElementById("slider").setAttribute("aria-valuetext", frame ? `after move ${frame} of ${last}` : "start");
    document.getElementById("previous").disabled = document.getElementById("first").disabled = frame === 0;
    document.getElementById("next").disabled = document.getElementById("final").disabled = frame === last;
    document.getElementById("now").textContent = frame ? spoken(moves[frame - 1]) : `Start: ${last} ${last === 1 ? "move" : "moves"} to come.`;
    if (speak) follow();
  }

  function spoken(item) {
    const parts = [".text", ".mp"].map((name) => item.querySelector(name).textContent);
    const more = [...item.querySelectorAll(".fate, .wrong")].map((element) => element.textContent.trim());
    return `Move ${item.dataset.frame} of ${last}: ${[...parts, ...more].join(", ")}`;
  }

  // Move the map where the move is, if it can't be seen.
  function follow() {
    const arrow = svg.querySelector(`.move[data-move="${frame}"]`);
    if (!arrow) return;
    const seen = arrow.getBBox();
    const inside = seen.x >= box[0] && seen.y >= box[1] && seen.x + seen.width <= box[0] + box[2] && seen.y + seen.height <= box[1] + box[3];
    if (!inside) centre(seen.x + seen.width / 2, seen.y + seen.height / 2, Math.max(box[2], seen.width * 1.3), Math.max(box[3], seen.height * 1.3));
  }

  // -- the view

  function set(x, y, width, height) {
    const most = 1.2, least = 120;
    const scale = Math.min(Math.max(width, least), whole[2] * most) / width;
    box = [x, y, width * scale, height * scale];
    box[0] = Math.min(Math.max(box[0], whole[0] - box[2] / 2), whole[0] + whole[2] - box[2] / 2);
    box[1] = Math.min(Math.max(box[1], whole[1] - box[3] / 2), whole[1] + whole[3] - box[3] / 2);
    svg.setAttribute("viewBox", box.map((value) => value.toFixed(1)).join(" "));
  }

  function centre(x, y, width, height) { set(x - width / 2, y - height / 2, width, height); }

  function at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  function zoom(factor, x = box[0] + box[2] / 2, y = box[1] + box[3] / 2) {
    const least = Math.max(factor, 120 / box[2]);
    const by = Math.min(least, (whole[2] * 1.2) / box[2]);
    set(x - (x - box[0]) * by, y - (y - box[1]) * by, box[2] * by, box[3] * by);
  }

  function pan(dx, dy) { set(box[0] + dx * box[2], box[1] + dy * box[3], box[2], box[3]); }

  function fit() { set(...whole); }

  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY)) * 0.0016), ...at(event));
  }, { passive: false });

  const fingers = new Map();
  let spread = 0;
  view.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    view.setPointerCapture(event.pointerId);
    view.classList.add("dragging");
    spread = 0;
  });
  view.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) { point(event.target); return; }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) {
      const scale = svg.getScreenCTM().a;
      set(box[0] - (event.clientX - before[0]) / scale, box[1] - (event.clientY - before[1]) / scale, box[2], box[3]);
    } else if (fingers.size === 2) {
      const [one, other] = [...fingers.values()];
      const now = Math.hypot(one[0] - other[0], one[1] - other[1]);
      if (spread && now) zoom(spread / now, ...at({ clientX: (one[0] + other[0]) / 2, clientY: (one[1] + other[1]) / 2 }));
      spread = now;
    }
  });
  for (const name of ["pointerup", "pointercancel"]) {
    view.addEventListener(name, (event) => {
      fingers.delete(event.pointerId);
      spread = 0;
      if (!fingers.size) view.classList.remove("dragging");
    });
  }
  view.addEventListener("dblclick", (event) => zoom(0.6, ...at(event)));

  // -- what lies under the pointer

  const about = (element) => element.querySelector(":scope > title")?.textContent ?? "";

  function point(target) {
    const unit = target.closest("[data-unit], [data-marker]");
    const stack = target.closest("[data-at]");
    const hex = target.closest("[data-hex]");
    const mark = target.closest("[data-reach], [data-violation], [data-note]");
    const arrow = target.closest(".move");
    const marked = mark?.dataset.reach ?? mark?.dataset.violation ?? mark?.dataset.note;
    const label = stack?.dataset.at ?? hex?.dataset.hex ?? marked;
    if (!label && !unit) {
      if (arrow) here.textContent = about(arrow);
      return;
    }
    const place = svg.querySelector(`[data-hex="${CSS.escape(label ?? "")}"]`);
    const lines = [place ? about(place) || label : ""];
    const inside = [...svg.querySelectorAll(`[data-at="${CSS.escape(label ?? "")}"]:not(.off)`)];
    const those = inside.flatMap((group) => [...group.querySelectorAll("[data-unit], [data-marker], .more")]);
    lines.push(...(those.length ? those : unit ? [unit] : []).map(about));
    const said = ["reach", "violation", "note"].map((kind) => `[data-${kind}="${CSS.escape(label ?? "")}"]:not(.off) title`).join(", ");
    lines.push(...[...svg.querySelectorAll(said)].map((title) => title.textContent));
    here.textContent = lines.filter(Boolean).join("\n");
  }

  function ringAround(element) {
    const seen = element.getBoundingClientRect();
    const [x, y] = at({ clientX: seen.x + seen.width / 2, clientY: seen.y + seen.height / 2 });
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    ring.classList.remove("off");
    const width = Math.min(box[2], 700);
    centre(x, y, width, (width * box[3]) / box[2]);
    point(element);
  }

  document.addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]");
    const unit = event.target.closest("[data-unit-link]");
    const hex = event.target.closest("[data-hex-link]");
    if (go) show(Number(go.dataset.go));
    if (unit) {
      const found = [...svg.querySelectorAll(`[data-unit="${CSS.escape(unit.dataset.unitLink)}"]`)].find((one) => !one.closest(".off"));
      if (found) ringAround(found.childElementCount ? found : found.parentElement);
    }
    if (hex) {
      const found = svg.querySelector(`[data-hex="${CSS.escape(hex.dataset.hexLink)}"]`);
      if (found) ringAround(found);
    }
  });

  // -- buttons and keys

  const press = (id, action) => document.getElementById(id)?.addEventListener("click", action);
  press("larger", () => zoom(0.75));
  press("smaller", () => zoom(1 / 0.75));
  press("fit", fit);
  press("first", () => show(0));
  press("previous", () => show(frame - 1));
  press("next", () => show(frame + 1));
  press("final", () => show(last));
  document.getElementById("slider")?.addEventListener("input", (event) => show(Number(event.target.value)));
  document.getElementById("every")?.addEventListener("change", (event) => document.body.classList.toggle("every", event.target.checked));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const sliding = event.target.id === "slider";
    const mapped = view.contains(event.target);
    const panning = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    if (event.shiftKey && panning) pan(...panning);
    else if (mapped && (event.key === "+" || event.key === "=")) zoom(0.75);
    else if (mapped && event.key === "-") zoom(1 / 0.75);
    else if (mapped && event.key === "0") fit();
    else if (sliding || !last || event.shiftKey) return;
    else if (event.key === "ArrowRight") show(frame + 1);
    else if (event.key === "ArrowLeft") show(frame - 1);
    else if (event.key === "Home") show(0);
    else if (event.key === "End") show(last);
    else return;
    event.preventDefault();
  });

  // -- paper

  let opened = [];
  let before = box;
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")].filter((element) => element.id !== "keys");
    for (const element of opened) element.open = true;
    before = box;
    fit();
  });
  window.addEventListener("afterprint", () => {
    for (const element of opened) element.open = false;
    set(...before);
  });

  show(frame, false);
})();
