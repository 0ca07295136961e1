// What of the map is seen. The SVG is drawn once, as large as it is, and the browser's compositor moves and scales it: panning a
// map of thousands of hexes paints nothing anew. The interface is that of mapView in /page/view.js.
const LEAST = 120, MOST = 1.2; // the narrowest and widest part that is seen: in units of the map, of the whole map
const READABLE = 14; // pixels; smaller counters become plain markers
const QUIET = 200; // milliseconds after which what stands still is painted sharp

export function stageView(view, stage) {
  let svg = null, whole = [0, 0, 100, 100], scale = 1, left = 0, top = 0, timer = 0;

  function show(moving = true) {
    const w = view.clientWidth, h = view.clientHeight;
    left = Math.min(Math.max(left, w / 2 - whole[2] * scale), w / 2);
    top = Math.min(Math.max(top, h / 2 - whole[3] * scale), h / 2);
    if (moving) stage.style.willChange = "transform";
    stage.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px) scale(${scale.toFixed(5)})`;
    svg?.classList.toggle("distant", Number(svg.dataset.counter) * scale < READABLE);
    clearTimeout(timer);
    timer = setTimeout(() => { stage.style.willChange = "auto"; }, QUIET);
  }

  const least = () => Math.min(view.clientWidth / whole[2], view.clientHeight / whole[3]) / MOST;
  const bounded = (value) => Math.min(Math.max(value, least()), Math.max(view.clientWidth / LEAST, least()));

  function at(x, y) {
    const seen = view.getBoundingClientRect();
    return [(x - seen.x - left) / scale + whole[0], (y - seen.y - top) / scale + whole[1]];
  }

  function middle(element) {
    const seen = element.getBoundingClientRect();
    return at(seen.x + seen.width / 2, seen.y + seen.height / 2);
  }

  function zoom(factor, x = at(view.getBoundingClientRect().x + view.clientWidth / 2, 0)[0], y = null) {
    const seen = view.getBoundingClientRect();
    const around = y ?? at(0, seen.y + view.clientHeight / 2)[1];
    const before = scale;
    scale = bounded(scale / factor);
    left += (x - whole[0]) * (before - scale);
    top += (around - whole[1]) * (before - scale);
    show();
  }

  function centre(x, y, width = view.clientWidth / scale, height = view.clientHeight / scale) {
    scale = bounded(Math.min(view.clientWidth / width, view.clientHeight / height));
    left = view.clientWidth / 2 - (x - whole[0]) * scale;
    top = view.clientHeight / 2 - (y - whole[1]) * scale;
    show(false);
  }

  function pan(dx, dy) {
    left -= dx * view.clientWidth;
    top -= dy * view.clientHeight;
    show();
  }

  function fit() { centre(whole[0] + whole[2] / 2, whole[1] + whole[3] / 2, whole[2], whole[3]); }

  // Bring something into view, if it isn't.
  function see(element) {
    const { x, y, right, bottom } = element.getBoundingClientRect(), seen = view.getBoundingClientRect();
    if (x >= seen.x && y >= seen.y && right <= seen.right && bottom <= seen.bottom) return;
    centre(...middle(element));
  }

  // Take another SVG, whose size may be another one.
  function take(drawn) {
    svg = drawn;
    whole = svg.getAttribute("viewBox").split(" ").map(Number);
    svg.setAttribute("width", whole[2]);
    svg.setAttribute("height", whole[3]);
  }

  new ResizeObserver(() => show(false)).observe(view);
  return { at, middle, zoom, pan, centre, fit, see, take, width: () => view.clientWidth / scale, height: () => view.clientHeight / scale };
}
