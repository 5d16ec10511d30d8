// A question as a link: everything travels in the fragment of the address, which a
// browser never sends to a server.
import { emptyAsk, textLimit, type Ask } from "./protocol";

const prefix = "#t=";

export interface Shared {
  text: string;
  ask: Ask;
}

/** toFragment compresses a question into the fragment of an address. */
export async function toFragment(shared: Shared): Promise<string> {
  const changed = Object.entries(shared.ask).filter(([, value]) => !isEmpty(value));
  const json = JSON.stringify({ text: shared.text, ask: Object.fromEntries(changed) });
  const packed = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return prefix + toBase64(await collect(packed, Infinity));
}

/** fromFragment restores a question, or returns null where the fragment holds none. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  if (!fragment.startsWith(prefix)) return null;
  try {
    const packed = new Blob([fromBase64(fragment.slice(prefix.length))]);
    const unpacked = packed.stream().pipeThrough(new DecompressionStream("deflate-raw"));
    // A link comes from anywhere, and a small one can unpack to gigabytes. The old
    // object counts as well, hence the factor.
    const bytes = await collect(unpacked, 3 * textLimit);
    const { text, ask } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Shared>;
    if (typeof text !== "string") return null;
    return { text, ask: sameTypes(ask ?? {}) };
  } catch {
    return null;
  }
}

/** sameTypes takes over only what has the type that the form expects. */
function sameTypes(found: Partial<Ask>): Ask {
  const ask = emptyAsk();
  for (const key of Object.keys(ask) as (keyof Ask)[]) {
    const value = found[key];
    if (typeof value === typeof ask[key] && Array.isArray(value) === Array.isArray(ask[key])) {
      Object.assign(ask, { [key]: value });
    }
  }
  ask.groups = ask.groups.map(String);
  return ask;
}

function isEmpty(value: Ask[keyof Ask]): boolean {
  return Array.isArray(value) ? value.length === 0 : !value;
}

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new RangeError("the link holds more than Ambit reads");
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
