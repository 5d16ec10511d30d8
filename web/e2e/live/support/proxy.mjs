// Stands between Ambit and the API server, so that the way can be cut and come back: a server that is started anew has
// another port and another certificate.
import { once } from "node:events";
import { connect, createServer } from "node:net";

export class Proxy {
  /** start passes connections on to an address. */
  static async start(to) {
    const proxy = new Proxy();
    proxy.to = to;
    proxy.port = 0;
    await proxy.restore();
    return proxy;
  }

  get host() {
    return `127.0.0.1:${this.port}`;
  }

  /** restore listens, always on the same port. */
  async restore() {
    this.open = new Set();
    this.server = createServer((from) => this.#pass(from));
    this.server.listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
    this.port = this.server.address().port;
  }

  #pass(from) {
    const to = connect(Number(this.to.port), this.to.hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ]) {
      this.open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.open.delete(one);
        other.destroy();
      });
    }
  }

  /** cut ends all connections, and refuses new ones. */
  async cut() {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    for (const socket of this.open) socket.destroy();
    await closed;
  }
}
