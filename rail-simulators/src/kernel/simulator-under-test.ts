/** For tests only: controls any simulator, and closes it with its test. */
import type { TestContext } from 'node:test';
import { type Answer, answerOf } from './inbox-under-test.ts';

/** Calls the control surface: by GET, or by POST with a body. */
export type Control = (path: string, body?: unknown) => Promise<Answer>;

export function controlAt(url: string, secret: string): Control {
  return (path, body) => {
    const call = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return answerOf(fetch(`${url}/control/${path}`, { ...call, headers: { authorization: `Bearer ${secret}` } }));
  };
}

/** Closes the server once, at the end of the test or at an earlier call. */
export function closesWith(t: TestContext, server: { close(): Promise<void> }): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  t.after(close);
  return close;
}
