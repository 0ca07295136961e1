// Where units can go is asked before anybody wants to know, while nothing else is done: a touch is then answered at once. First of
// all units as the search lists it, which is soon known; then judged, with why they must stop, and whom they can fight.
const QUIET = 400; // milliseconds between two looks whether anybody is still busy
const MOST = 60; // units that are asked about in one position

export function asksAhead(app) {
  let of = null, known = { quick: new Map(), judged: new Map() }, timer = 0, last = 0;

  function current() {
    if (of !== app.state) { of = app.state; known = { quick: new Map(), judged: new Map() }; }
    return known;
  }

  function asked(sort, units) {
    const here = current()[sort], said = units.join("+");
    if (!here.has(said)) {
      const found = app.server.ask("ways", sort === "quick" ? { units: said, quick: true } : { units: said }).then((answer) => answer.ways);
      found.catch(() => here.delete(said));
      here.set(said, found);
    }
    return here.get(said);
  }

  // Where units can go now, together, with the moves; and what is known of it soonest.
  const ways = (units) => asked("judged", units);
  const soonest = (units) => (units.length > 1 || current().judged.has(units[0]) ? ways(units) : asked("quick", units));

  // Ask about one after another; `units` tells about whom, `busy` whether somebody asks himself. It ends where the server does.
  function go(units, busy, wait = 0) {
    stop();
    const mine = last;
    timer = setTimeout(async () => {
      const here = current(), all = units().slice(0, MOST);
      const sort = ["quick", "judged"].find((one) => all.some((unit) => !here[one].has(unit)));
      if (!sort) return;
      const asks = !busy();
      if (asks && !(await asked(sort, [all.find((unit) => !here[sort].has(unit))]).then(() => true, () => false))) return;
      if (mine === last) go(units, busy, asks ? 0 : QUIET); // otherwise it has been stopped while it was waited for the answer
    }, wait);
  }

  function stop() { clearTimeout(timer); last += 1; }

  return { ways, soonest, go, stop };
}
