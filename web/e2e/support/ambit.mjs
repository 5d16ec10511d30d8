// Starts the built binary as a person would and finds out where it serves.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const binary = process.env.AMBIT ?? fileURLToPath(new URL("../../../bin/ambit", import.meta.url));
const patience = 30_000;

/** cluster is the manifests whose verdicts the tests know. */
export const cluster = fileURLToPath(new URL("../testdata/cluster.yaml", import.meta.url));

export class Ambit {
  /** start serves manifests, or without any the built-in sample, on a free port. */
  static start(...manifests) {
    const files = manifests.flatMap((manifest) => ["-f", manifest]);
    return Ambit.under(...(files.length > 0 ? files : ["--sample"]));
  }

  /** under serves what flags say, on a free port. */
  static async under(...flags) {
    const ambit = new Ambit();
    ambit.source = flags;
    await ambit.#run("127.0.0.1:0");
    return ambit;
  }

  async #run(listen) {
    const child = spawn(binary, ["serve", "--listen", listen, ...this.source]);
    this.child = child;
    this.output = "";
    this.url = await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          this.output += line + "\n";
          const address = /http:\/\/[\d.:]+/.exec(line);
          if (address) resolve(address[0]);
        });
      }
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`ambit ended with ${code}:\n${this.output}`)));
      const late = () => reject(new Error(`ambit names no address:\n${this.output}`));
      setTimeout(late, patience).unref();
    });
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGTERM");
    await ended;
  }

  /** again serves on the same port, after stop. */
  again() {
    return this.#run(new URL(this.url).host);
  }
}
