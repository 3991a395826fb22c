/** For tests only: controls any simulator, and closes it with its test. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ManualClock } from '../manual-clock.ts';
import { type Answer, answerOf, eventually } from './inbox-under-test.ts';

/** Calls the control surface: a POST with a body, otherwise a GET. */
export type Control = (path: string, body?: unknown) => Promise<Answer>;

export function controlAt(url: string, secret: string): Control {
  return (path, body) => {
    const call = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return answerOf(fetch(`${url}/control/${path}`, { ...call, headers: { authorization: `Bearer ${secret}` } }));
  };
}

/** The shortest time for which a simulator holds a request to which it does not respond. No other timer is as long. */
const HELD_MS = 60_000;

/** Returns the time until the simulator drops the request that it holds. */
export function heldFor(clock: ManualClock): number | undefined {
  return clock.delays().find((ms) => ms >= HELD_MS);
}

/** Asserts that the simulator holds the call without a response, and advances its clock until it drops the connection. */
export async function assertUnanswered({ clock }: { readonly clock: ManualClock }, call: Promise<unknown>) {
  const dropped = assert.rejects(call, /fetch failed|socket hang up/);
  await eventually('the request is held', () => heldFor(clock) !== undefined);
  clock.advance(heldFor(clock) ?? 0);
  await dropped;
}

/** Closes the server once, at the end of the test or at an earlier call. */
export function closesWith(t: TestContext, server: { close(): Promise<void> }): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  t.after(close);
  return close;
}
