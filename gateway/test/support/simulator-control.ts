/** A simulator's control surface, as a test asks it. */
import assert from 'node:assert/strict';

/** Asks by GET, or by POST where there is a body. */
export type AskSimulator = (what: string, body?: object) => Promise<Record<string, unknown>>;

/** Fails the test where it is refused. */
export function simulatorAt({ url, secret }: { readonly url: string; readonly secret: string }): AskSimulator {
  return async (what, body) => {
    const response = await fetch(`${url}/control/${what}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${secret}` },
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${what}: ${text}`);
    return JSON.parse(text);
  };
}

/** All of it, oldest first. */
export async function readBook<Entry>(ask: AskSimulator): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const page = (await ask(`book?after=${entries.length}`))['entries'] as Entry[];
    if (page.length === 0) return entries;
    entries.push(...page);
  }
}
