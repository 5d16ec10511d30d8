// A real API server with the sample in it, and what a person does to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const tree = fileURLToPath(new URL("../../../../", import.meta.url));
const binary = process.env.AMBIT_CLUSTER ?? path.join(tree, "bin", "ambit-cluster");

export class Cluster {
  /** start waits until the sample is in the cluster, which takes some seconds. */
  static async start() {
    const cluster = new Cluster();
    cluster.folder = await mkdtemp(path.join(tmpdir(), "ambit-live-"));
    const kubeconfig = path.join(cluster.folder, "kubeconfig");
    cluster.child = spawn(binary, ["--kubeconfig", kubeconfig], { cwd: tree });
    try {
      await cluster.#ready();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    cluster.kubeconfig = await readFile(kubeconfig, "utf8");
    const field = (name) => new RegExp(`^\\s+${name}: (\\S+)$`, "m").exec(cluster.kubeconfig)[1];
    cluster.address = new URL(field("server"));
    cluster.headers = { Authorization: `Bearer ${field("token")}`, Accept: "application/json" };
    cluster.agent = new Agent({
      ca: Buffer.from(field("certificate-authority-data"), "base64"),
      keepAlive: true,
    });
    return cluster;
  }

  #ready() {
    let output = "";
    return new Promise((resolve, reject) => {
      for (const stream of [this.child.stdout, this.child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          output += line + "\n";
          if (line.includes("Press Ctrl-C")) resolve();
        });
      }
      this.child.once("error", reject);
      this.child.once("exit", (code) => reject(new Error(`the cluster ended with ${code}:\n${output}`)));
    });
  }

  /** through writes a kubeconfig that leads to the cluster by way of another address of this machine. */
  async through(host) {
    const file = path.join(this.folder, "through");
    await writeFile(file, this.kubeconfig.replace(this.address.host, host), { mode: 0o600 });
    return file;
  }

  /** ask sends one request to the API server, and returns the status and the object of its answer. */
  async ask(method, target, object, type = "application/json") {
    const body = object && JSON.stringify(object);
    const headers = body ? { ...this.headers, "Content-Type": type } : this.headers;
    const sent = request(new URL(target, this.address), { method, headers, agent: this.agent });
    sent.end(body);
    const [answer] = await once(sent, "response");
    const text = (await answer.toArray()).join("");
    return { status: answer.statusCode, object: JSON.parse(text) };
  }

  /** change is ask for what must succeed. */
  async change(...asked) {
    const { status, object } = await this.ask(...asked);
    if (status >= 300) throw new Error(`${asked[0]} ${asked[1]}: ${object.message}`);
    return object;
  }

  /** label sets a label of a namespace, or removes it with the value null. */
  label(namespace, key, value) {
    const patch = { metadata: { labels: { [key]: value } } };
    return this.change("PATCH", `/api/v1/namespaces/${namespace}`, patch, "application/merge-patch+json");
  }

  /** stop ends the API server, as an interrupt from the keyboard does. */
  async stop() {
    this.agent?.destroy();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, "exit");
      this.child.kill("SIGINT");
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
