// A websocket that comes back. Only the newest question matters, so nothing is queued:
// whatever was sent last is sent again once the server answers the phone.

const firstPause = 250;
const longestPause = 8000;

/** How the websocket protocol says that a message was larger than the server reads. */
const messageTooBig = 1009;

export type ConnectionState = "connecting" | "open" | "lost";

export interface ConnectionEvents {
  message(data: unknown): void;
  state(state: ConnectionState): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private last: string | null = null;
  private attempts = 0;
  private timer: number | undefined;

  constructor(
    private readonly address: string,
    private readonly events: ConnectionEvents,
  ) {
    // A laptop that wakes up should not sit out the rest of a long pause.
    const hurry = () => {
      if (this.timer !== undefined && document.visibilityState === "visible") this.open();
    };
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
    this.open();
  }

  send(message: object): void {
    this.last = JSON.stringify(message);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(this.last);
  }

  private open(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.events.state(this.attempts === 0 ? "connecting" : "lost");
    socket.onopen = () => {
      this.events.state("open");
      if (this.last !== null) socket.send(this.last);
    };
    socket.onmessage = (event) => {
      // A server that accepts and drops connections keeps the pauses growing, so the
      // count starts over with the first answer and not with the handshake.
      this.attempts = 0;
      this.events.message(JSON.parse(String(event.data)));
    };
    socket.onclose = (event) => {
      if (event.code === messageTooBig) this.last = null;
      this.events.state("lost");
      this.timer = setTimeout(() => this.open(), pause(this.attempts++));
    };
  }
}

/** pause grows with every attempt and is spread, so that a restarted server is not met by all tabs at once. */
function pause(attempts: number): number {
  const full = Math.min(firstPause * 2 ** attempts, longestPause);
  return full / 2 + (Math.random() * full) / 2;
}

/** socketAddress turns a path of this site into the address of a websocket. */
export function socketAddress(path: string): string {
  const address = new URL(path, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
