// Where units can go is asked before anybody wants to know, while nothing else is done: a touch is then answered at once. First of
// all units as the search lists it, which is soon known; then judged, with why they must stop, and whom they can fight. Who asks
// himself isn't made to wait for what others might want to know.
const QUIET = 400; // milliseconds between two looks whether anybody is still busy
const MOST = 60; // units that are asked about in one position

export function asksAhead(app) {
  let of = null, known = null, timer = 0, last = 0;
  const open = new Set(); // what isn't answered yet: { said, drop }

  function current() {
    if (!known || of !== app.state) { of = app.state; known = { quick: new Map(), judged: new Map(), sure: new Set() }; }
    return known;
  }

  function asked(sort, units) {
    const now = current(), here = now[sort], said = units.join("+");
    if (!here.has(said)) {
      const stop = new AbortController(), forget = () => { if (here.get(said) === found) here.delete(said); };
      const one = { said, drop() { forget(); stop.abort(); } };
      const found = app.server.ask("ways", sort === "quick" ? { units: said, quick: true } : { units: said }, { signal: stop.signal })
        .then((answer) => answer.ways).finally(() => open.delete(one));
      found.then(() => { if (sort === "judged") now.sure.add(said); }, forget);
      here.set(said, found);
      open.add(one);
    }
    return here.get(said);
  }

  // What isn't answered yet of others than these is asked again later, if at all.
  function giveWay(units) { for (const one of open) if (one.said !== units.join("+")) one.drop(); }

  // Where units can go now, together, with the moves; and what is known of it soonest.
  const ways = (units) => asked("judged", units);
  function soonest(units) {
    giveWay(units);
    const said = units.join("+");
    return units.length > 1 || current().sure.has(said) ? ways(units) : asked("quick", units);
  }

  // Ask about one after another; `units` tells about whom, `busy` whether somebody asks himself. It ends where the server does.
  function go(units, busy, wait = 0) {
    stop();
    const mine = last;
    timer = setTimeout(async () => {
      const here = current(), all = units().slice(0, MOST);
      const sort = ["quick", "judged"].find((one) => all.some((unit) => !here[one].has(unit)));
      if (!sort) return;
      const asks = !busy();
      const wrong = asks && await asked(sort, [all.find((unit) => !here[sort].has(unit))]).then(() => null, (error) => error);
      if (wrong && wrong.name !== "AbortError") return;
      if (mine === last) go(units, busy, asks && !wrong ? 0 : QUIET); // otherwise it has been stopped while it was waited for the answer
    }, wait);
  }

  function stop() { clearTimeout(timer); last += 1; }

  return { ways, soonest, giveWay, go, stop };
}
