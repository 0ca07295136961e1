// A plan that is followed: made until something is rolled, and gone on with by what was rolled. Taking back goes back in it, too.
import { Refused } from "./server.js";

export function follower(app) {
  const { html, nothing } = app;
  let todo = [], branches = [];
  const marks = new Map(); // how the plan stood, by how much had been done

  const now = () => app.server.done.length;
  const mark = () => marks.set(now(), [todo, branches]);
  const under = () => todo.length > 0 || branches.length > 0;

  // Of attacks that are reacted to, one is declared at a time.
  function take({ moves = [], attacks = [], branches: after = [] }) {
    todo = [...moves, ...(after.length ? attacks.slice(0, 1) : attacks)];
    branches = after;
  }

  function forget() { todo = []; branches = []; marks.clear(); }

  // Somebody plays otherwise.
  function leave() {
    todo = []; branches = [];
    for (const done of [...marks.keys()]) if (done > now()) marks.delete(done);
  }

  const isAttack = (move) => move.includes(" -> ");

  // Make what is to be made before the next roll, attacks once all are declared where the game has it so; what has become impossible is passed over where nothing depends on it.
  async function make() {
    const passed = [];
    mark();
    while (todo.length && !app.state.outcomes) {
      const [move, ...rest] = todo;
      try {
        if (isAttack(move) && app.state.to_declare && !branches.length) {
          app.state = await app.server.ask("declare", { attacks: todo.filter(isAttack) });
          mark();
        }
        app.state = await app.server.ask("push", { move });
      } catch (error) {
        if (!(error instanceof Refused) || error.kind !== "illegal" || branches.length) throw error;
        passed.push(move);
      }
      todo = rest;
      mark();
    }
    return passed;
  }

  const attackOf = (move) => /^.* -> [^=]+=\S+/.exec(move)?.[0]; // who goes where on account of it may be said otherwise
  const after = (move) => branches.find(({ made }) => made.includes(move)) ?? (attackOf(move) && branches.find(({ made }) => made.some((one) => attackOf(one) === attackOf(move))));

  function rolled(move) {
    if (todo.length || !branches.length) return mark(); // the rest is made whatever is rolled
    const branch = after(move);
    if (branch) take(branch.then); else leave();
    return mark();
  }

  function back() { [todo, branches] = marks.get(now()) ?? [[], []]; }

  // What the plan does after a result.
  function then(move) {
    const found = !todo.length && after(move)?.then;
    if (!found) return "";
    const next = [...found.moves, ...(found.attacks ?? [])];
    return `then ${next.length ? next.join("; ") : "nothing more"}`;
  }

  function panel(makeThem) {
    if (!todo.length || app.state.outcomes) return nothing;
    return html`<section id="plan" aria-label="The plan"><h2>The plan goes on</h2><ol class="made">${todo.map((move) => html`<li>${move}</li>`)}</ol>
      <div class="row"><button type="button" id="go-on" class="main" @click=${makeThem}>Make these moves</button>
      <button type="button" id="leave-plan" @click=${() => { leave(); app.draw(); }}>Leave the plan</button></div></section>`;
  }

  return { take, make, rolled, back, leave, forget, then, panel, under };
}
