/** A simulator's control surface for tests. */
import assert from 'node:assert/strict';
import { sendRequest } from '../tools/send-request.ts';

/** Sends a POST with a body, otherwise a GET. */
export type AskSimulator = (what: string, body?: object) => Promise<Record<string, unknown>>;

/** Fails the test if the simulator rejects the request. */
export function simulatorAt({ url, secret }: { readonly url: string; readonly secret: string }): AskSimulator {
  return async (what, body) => {
    const { status, text } = await sendRequest(`${url}/control/${what}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${secret}`, ...(body === undefined ? {} : { 'content-type': 'text/plain' }) },
    });
    assert.equal(status, 200, `${what}: ${text}`);
    return JSON.parse(text);
  };
}

/** Returns the entire book, oldest first. */
export async function readBook<Entry>(ask: AskSimulator): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const page = (await ask(`book?after=${entries.length}`))['entries'] as Entry[];
    if (page.length === 0) return entries;
    entries.push(...page);
  }
}
