import assert from "node:assert/strict";

/**
 * timed tells how long it takes from the end of a change until the page shows it. It is to be within a second; the
 * limit is generous, since machines that run tests are busy.
 */
export async function timed(t, what, change, shown, limit = 5_000) {
  await change();
  const changed = performance.now();
  await shown();
  const took = Math.round(performance.now() - changed);
  t.diagnostic(`${what}: on the page after ${took} ms`);
  assert.ok(took < limit, `${what}: on the page after ${took} ms`);
}
