// Starts the built binary on a live cluster instead of manifests.
import { Ambit } from "../../support/ambit.mjs";

/** follow shows the cluster of a kubeconfig, on a free port: 0 asks for one. */
export async function follow(kubeconfig) {
  const ambit = new Ambit();
  ambit.source = ["--kubeconfig", kubeconfig];
  ambit.url = "http://127.0.0.1:0";
  await ambit.again();
  return ambit;
}
