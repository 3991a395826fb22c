/** A simulator's control surface, as a test asks it. */
import assert from 'node:assert/strict';

/** By GET, or by POST where there is a body. Fails the test where it is refused. */
export async function askSimulator(
  { url, secret }: { readonly url: string; readonly secret: string },
  what: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/control/${what}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${secret}` },
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${what}: ${text}`);
  return JSON.parse(text);
}
