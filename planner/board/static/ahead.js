// Where units can go is asked before anybody wants to know, while nothing else is done: a touch is then answered at once.
const QUIET = 400; // milliseconds until the first is asked, and between two looks whether anybody is busy
const MOST = 60; // units that are asked about in one position

export function asksAhead(app) {
  let of = null, known = new Map(), timer = 0;

  function current() {
    if (of !== app.state) { of = app.state; known = new Map(); }
    return known;
  }

  // Where units can go now, together.
  function ways(units) {
    const here = current(), asked = units.join("+");
    if (!here.has(asked)) {
      const found = app.server.ask("ways", { units: asked }).then((answer) => answer.ways);
      found.catch(() => here.delete(asked));
      here.set(asked, found);
    }
    return here.get(asked);
  }

  // Ask about one after another; `next` tells about whom, and nothing while somebody is busy. It ends where the server does.
  function go(units, busy, wait = QUIET) {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const unit = current().size < MOST && units().find((one) => !current().has(one));
      if (!unit) return;
      const asks = !busy();
      if (asks && !(await ways([unit]).then(() => true, () => false))) return;
      go(units, busy, asks ? 0 : QUIET);
    }, wait);
  }

  return { ways, go, stop: () => clearTimeout(timer) };
}
