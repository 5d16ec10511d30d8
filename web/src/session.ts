// One conversation with the server: it waits for a pause in typing, numbers questions
// and drops every reply that is not about the newest one.
import { Connection, socketAddress, type ConnectionState } from "./connection";
import type { Question, Reply } from "./protocol";

const debounce = 120;

export interface SessionEvents {
  /** asked is the time at which the question left, for measuring. */
  reply(reply: Reply, asked: number): void;
  connection(state: ConnectionState): void;
  /** waiting says whether a question is open. */
  waiting(waiting: boolean): void;
}

export class Session {
  private readonly connection: Connection;
  private seq = 0;
  private asked = 0;
  private timer: number | undefined;

  constructor(
    path: string,
    private readonly question: () => Omit<Question, "seq"> | null,
    private readonly events: SessionEvents,
  ) {
    this.connection = new Connection(socketAddress(path), {
      message: (data) => this.receive(data as Reply),
      state: (state) => events.connection(state),
    });
  }

  /** askSoon asks after a pause in typing. */
  askSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askNow(), debounce);
  }

  /** askNow asks at once: a choice in a form is not followed by another keystroke. */
  askNow(): void {
    clearTimeout(this.timer);
    this.asked = performance.now();
    // The number grows also when there is nothing to ask, so that a reply to the
    // question before does not paint over what the page says instead.
    const seq = ++this.seq;
    const question = this.question();
    this.events.waiting(question !== null);
    if (question) this.connection.send({ seq, ...question });
  }

  private receive(reply: Reply): void {
    if (reply.seq !== this.seq) return;
    if (reply.state !== "facts") this.events.waiting(false);
    this.events.reply(reply, this.asked);
  }
}
