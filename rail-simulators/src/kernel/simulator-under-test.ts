/** For tests only: how a test controls any simulator, and how it ends with the test. */
import type { TestContext } from 'node:test';
import { type Answer, answerOf } from './inbox-under-test.ts';

/** Asks the control surface: by GET, or by POST where there is a body. */
export type Control = (path: string, body?: unknown) => Promise<Answer>;

export function controlAt(url: string, secret: string): Control {
  return (path, body) => {
    const call = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return answerOf(fetch(`${url}/control/${path}`, { ...call, headers: { authorization: `Bearer ${secret}` } }));
  };
}

/** Closes it once, at the end of the test or whenever that is called before. */
export function closesWith(t: TestContext, server: { close(): Promise<void> }): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  t.after(close);
  return close;
}
