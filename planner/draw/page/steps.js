// Steps through the moves; `stepped` is called after each step. The frames of a plan that reacts are a tree: after a roll
// somebody has to say what came of it.
function stepper(svg, map, stepped) {
  const last = Number(document.body.dataset.last);
  const byId = (id) => document.getElementById(id);
  const moves = [...document.querySelectorAll("li[data-frame]")];
  const timed = [...document.querySelectorAll("[data-from]")].map((element) => ({
    element, from: Number(element.dataset.from), to: Number(element.dataset.to),
  }));
  const rolls = new Set([...document.querySelectorAll("[data-roll]")].map((element) => Number(element.dataset.roll)));
  const back = document.body.dataset.back?.split(" ").map(Number) ?? [...Array(last + 1).keys()].map((index) => Math.max(0, index - 1));
  const goesOn = (index) => index < last && !rolls.has(index) && back[index + 1] === index;
  const situations = [...document.querySelectorAll(".situation")];
  let seen = null;
  let frame = Number(document.body.dataset.shown);

  // Scrolls the list alone: neither the buttons nor the map leave the window.
  function reveal(item) {
    const list = item.closest("aside"), { top, bottom } = item.getBoundingClientRect();
    const above = document.querySelector(".stepping").getBoundingClientRect().bottom, below = list.getBoundingClientRect().bottom;
    if (top < above) list.scrollTop -= above - top;
    else if (bottom > below) list.scrollTop += Math.min(Math.ceil(bottom - below), top - above);
  }

  function spoken(item) {
    const parts = [".text", ".mp"].map((name) => item.querySelector(name).textContent);
    const more = [...item.querySelectorAll(".fate, .wrong")].map((element) => element.textContent.trim());
    const number = item.querySelector(".number").textContent;
    return `Move ${number}${situations.length ? "" : ` of ${last}`}: ${[...parts, ...more].join(", ")}`;
  }

  function show(number, speak = true) {
    const left = document.activeElement?.closest(".situation");
    frame = Math.max(0, Math.min(last, number));
    for (const { element, from, to } of timed) element.classList.toggle("off", frame < from || frame >= to);
    for (const arrow of svg.querySelectorAll(".move")) arrow.classList.toggle("current", Number(arrow.dataset.move) === frame);
    for (const item of moves) {
      const current = Number(item.dataset.frame) === frame, details = item.querySelector("details");
      if (current) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
      if (details) details.open = current;
      if (current && speak) reveal(item);
    }
    document.body.dataset.shown = String(frame);
    if (last) controls();
    const here = situations.find((one) => !one.classList.contains("off"));
    if (speak && left && left !== here) here.querySelector("h3").focus({ preventScroll: true });
    if (speak && here && here !== seen) here.closest("aside").scrollTop = 0;
    if (speak && rolls.has(frame)) reveal(here.querySelector(".roll"));
    seen = here;
    const arrow = svg.querySelector(".move.current");
    if (speak && arrow) map.see(arrow);
    stepped();
  }

  function controls() {
    const item = moves.find((one) => Number(one.dataset.frame) === frame), slider = byId("slider");
    if (slider) {
      slider.value = String(frame);
      slider.setAttribute("aria-valuetext", frame ? `after move ${frame} of ${last}` : "start");
    }
    byId("previous").disabled = byId("first").disabled = frame === 0;
    byId("next").disabled = byId("final").disabled = !goesOn(frame);
    const came = situations.find((one) => !one.classList.contains("off"))?.dataset.came;
    const start = came ?? `Start: ${last} ${last === 1 ? "move" : "moves"} to come.`;
    byId("now").textContent = item ? `${spoken(item)}${rolls.has(frame) ? " What was rolled?" : ""}` : start;
  }

  function final() {
    let index = frame;
    while (goesOn(index)) index += 1;
    show(index);
  }

  // What was rolled, by its number among the results of the situation that is seen.
  function choose(key) {
    const button = situations.find((one) => !one.classList.contains("off"))?.querySelector(`[data-key="${key}"]:not(:disabled)`);
    button?.click();
    return Boolean(button);
  }

  return { last, show, final, choose, next: () => goesOn(frame) && show(frame + 1), previous: () => show(back[frame]) };
}
