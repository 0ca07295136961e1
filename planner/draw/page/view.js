// What of the map is seen: zooming, moving it, and back to all of it.
export function mapView(svg, view) {
  const LEAST = 120, MOST = 1.2; // the narrowest and the widest part that is seen: in units of the map, of the whole map
  const READABLE = 14; // pixels; smaller counters become plain markers
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  let box = whole.slice();

  function distant(scale) {
    svg.classList.toggle("distant", Number(svg.dataset.counter) * scale < READABLE);
  }

  function measure() { distant(Math.min(view.clientWidth / box[2], view.clientHeight / box[3])); }

  function set(x, y, width, height) {
    const scale = Math.min(Math.max(width, LEAST), whole[2] * MOST) / width;
    box = [x, y, width * scale, height * scale];
    for (const [place, size] of [[0, 2], [1, 3]]) {
      const half = box[size] / 2;
      box[place] = Math.min(Math.max(box[place], whole[place] - half), whole[place] + whole[size] - half);
    }
    svg.setAttribute("viewBox", box.map((value) => value.toFixed(1)).join(" "));
    measure();
  }

  function centre(x, y, width = box[2], height = box[3]) { set(x - width / 2, y - height / 2, width, height); }

  // Where on the map a place in the window is.
  function at(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  function middle(element) {
    const seen = element.getBoundingClientRect();
    return at(seen.x + seen.width / 2, seen.y + seen.height / 2);
  }

  function zoom(factor, x = box[0] + box[2] / 2, y = box[1] + box[3] / 2) {
    const by = Math.min(Math.max(factor, LEAST / box[2]), (whole[2] * MOST) / box[2]);
    set(x - (x - box[0]) * by, y - (y - box[1]) * by, box[2] * by, box[3] * by);
  }

  function pan(dx, dy) { set(box[0] + dx * box[2], box[1] + dy * box[3], box[2], box[3]); }

  // Bring something into view, if it isn't.
  function see(element) {
    const { x, y, width, height } = element.getBoundingClientRect(), seen = view.getBoundingClientRect();
    if (x >= seen.x && y >= seen.y && x + width <= seen.right && y + height <= seen.bottom) return;
    const scale = svg.getScreenCTM().a;
    const by = Math.max(1, (width * 1.3) / scale / box[2], (height * 1.3) / scale / box[3]);
    centre(...middle(element), box[2] * by, box[3] * by);
  }

  // The whole map as paper has it, upright or across, whichever makes it larger; what this returns brings back what was seen.
  function onPaper() {
    const before = box;
    set(...whole);
    distant(Math.max(...[[718, 850], [1047, 500]].map(([width, height]) => Math.min(width / whole[2], height / whole[3]))));
    return () => set(...before);
  }

  new ResizeObserver(measure).observe(view);
  return { at, middle, zoom, pan, centre, see, onPaper, fit: () => set(...whole), width: () => box[2], height: () => box[3] };
}

// Wheel, mouse and fingers: zoom and move the map; `tapped` gets what was tapped or clicked, `hovered` what is pointed at.
// `grab` may take what a finger is put on: what it returns is moved, dropped or let go instead of the map.
export function handle(view, map, tapped, hovered, grab = () => null) {
  const STILL = 6; // pixels that a finger may slip in a tap
  const fingers = new Map();
  let spread = 0, pressed = null, held = null;

  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    map.zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY)) * 0.0016), ...map.at(event.clientX, event.clientY));
  }, { passive: false });

  view.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    pressed = fingers.size === 1 ? { target: event.target, x: event.clientX, y: event.clientY } : null;
    held?.cancel();
    held = pressed && grab(event);
    view.setPointerCapture(event.pointerId);
    spread = 0;
  });

  view.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) { hovered(event.target); return; }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) pressed = null;
    if (!pressed) view.classList.add("dragging"); // its pointer is inherited by every hex, which takes a while: no tap waits for that
    if (held) {
      if (!pressed) held.move(event);
    } else if (fingers.size === 1) {
      const now = map.at(event.clientX, event.clientY), then = map.at(...before);
      map.pan((then[0] - now[0]) / map.width(), (then[1] - now[1]) / map.height());
    } else if (fingers.size === 2) {
      const [one, other] = [...fingers.values()];
      const now = Math.hypot(one[0] - other[0], one[1] - other[1]);
      if (spread && now) map.zoom(spread / now, ...map.at((one[0] + other[0]) / 2, (one[1] + other[1]) / 2));
      spread = now;
    }
  });

  for (const name of ["pointerup", "pointercancel"]) {
    view.addEventListener(name, (event) => {
      fingers.delete(event.pointerId);
      spread = 0;
      if (!fingers.size) view.classList.remove("dragging");
      if (name === "pointerup" && pressed) tapped(pressed.target, event);
      else if (name === "pointerup") held?.drop(event);
      if (name === "pointercancel" || pressed) held?.cancel();
      pressed = held = null;
    });
  }
  view.addEventListener("pointerleave", () => { if (!fingers.size) hovered(null); });
  view.addEventListener("dblclick", (event) => map.zoom(0.6, ...map.at(event.clientX, event.clientY)));
}
