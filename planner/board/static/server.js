// Talks to the server. What has been done is kept here, and in the browser's storage: if the server has been ended and started
// again, the game is played again up to where it was.
export class Refused extends Error {
  constructor({ kind, text, problems, violations }) {
    super(text);
    Object.assign(this, { kind, problems: problems ?? [], violations: violations ?? [] });
  }
}

export class Lost extends Error {}

const token = new URLSearchParams(location.hash.slice(1)).get("token");
const DOES = { push: 1, declare: 1, roll: 1, end_phase: 1 };

export class Server {
  constructor(keep) {
    this.keep = keep; // called with what is to be kept: { begin, done }
    this.session = null;
    this.begin = null;
    this.done = [];
  }

  async post(path, said, more = {}) {
    const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}), ...more.headers };
    let reply;
    try {
      reply = await fetch(path, { method: "POST", body: JSON.stringify(said), ...more, headers });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Lost("The planner doesn't answer: is it still running? What you have done is kept; it goes on once it answers.");
    }
    return reply;
  }

  async read(reply) {
    const found = await reply.json().catch(() => ({ error: { kind: "fault", text: `the server answers ${reply.status}` } }));
    if (found.error) throw new Refused(found.error);
    return found;
  }

  once(verb, said = {}) { return this.post(`/api/${verb}`, said).then((reply) => this.read(reply)); }

  // Begin with a position; `done` is what has been done since, to be done again.
  async open(begin, done = []) {
    const { name, ...said } = begin;
    let { session, answer } = await this.read(await this.post("/api/sessions", said));
    const before = this.session;
    for (const [verb, more] of done) answer = await this.read(await this.post(`/api/sessions/${session}/${verb}`, more));
    Object.assign(this, { session, begin, done: [...done] });
    this.keep({ begin, done: this.done });
    if (before) fetch(`/api/sessions/${before}`, { method: "DELETE", headers: token ? { Authorization: `Bearer ${token}` } : {} }).catch(() => {});
    return answer;
  }

  async again() {
    this.session = null;
    await this.open(this.begin, this.done);
  }

  async inSession(verb, said, more) {
    const reply = await this.post(`/api/sessions/${this.session}/${verb}`, said, more);
    if (reply.status !== 404) return reply;
    await this.again();
    return this.post(`/api/sessions/${this.session}/${verb}`, said, more);
  }

  async ask(verb, said = {}, more = {}) {
    const found = await this.read(await this.inSession(verb, said, more));
    if (DOES[verb]) this.done.push([verb, verb === "roll" ? { result: found.rolled.move } : said]);
    if (verb === "pop") this.done.pop();
    if (DOES[verb] || verb === "pop") this.keep({ begin: this.begin, done: this.done });
    return found;
  }

  // Ask what may take its time; `tell` gets what is found meanwhile. A question that is still being worked on is waited for.
  async slow(verb, said, { signal, tell = () => {} } = {}) {
    for (let tries = 0; ; tries += 1) {
      const reply = await this.inSession(verb, said, { signal, headers: { Accept: "text/event-stream" } });
      if (!(reply.headers.get("content-type") ?? "").includes("event-stream")) return this.read(reply);
      try {
        return await this.events(reply, tell);
      } catch (error) {
        if (error.kind !== "busy" || tries > 300) throw error; // half a minute: what was given up may take its time to end
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (signal?.aborted) throw new DOMException("stopped", "AbortError");
      }
    }
  }

  async events(reply, tell) {
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read().catch((error) => {
        if (error.name === "AbortError") throw error;
        throw new Lost("The planner has stopped answering.");
      });
      if (done) throw new Lost("The planner has stopped answering.");
      text += value;
      let end;
      while ((end = text.indexOf("\n\n")) >= 0) {
        const event = Object.fromEntries(text.slice(0, end).split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
        text = text.slice(end + 2);
        const content = JSON.parse(event.data);
        if (event.event === "info") tell(content);
        else if (event.event === "answer") return content;
        else throw new Refused(content);
      }
    }
  }

  stop() { return this.post(`/api/sessions/${this.session}/stop`, {}).catch(() => {}); }
}
