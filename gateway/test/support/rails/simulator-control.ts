/** The control surface of a simulator, under `/control`, for the tests: its book, its faults and what it does on request. */
import assert, { AssertionError } from 'node:assert/strict';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import { sendRequest } from '../tools/send-request.ts';
import { until } from '../tools/until.ts';

export const CONTROL_SECRET = 'the control surface of the tests';

/** The options with which a test starts any simulator. */
export const START_OPTIONS = {
  host: '127.0.0.1',
  port: 0,
  secret: CONTROL_SECRET,
  control: true,
  clock: systemClock,
  log: () => {},
} as const;

/** Sends a POST with a body, otherwise a GET. */
export type AskSimulator = (what: string, body?: object) => Promise<Record<string, unknown>>;

/** An entry of a book: an event and its object. */
export type Entry = Readonly<Record<string, unknown>>;

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
export async function readBook<BookEntry = Entry>(ask: AskSimulator): Promise<readonly BookEntry[]> {
  const entries: BookEntry[] = [];
  for (;;) {
    const page = (await ask(`book?after=${entries.length}`))['entries'] as BookEntry[];
    if (page.length === 0) return entries;
    entries.push(...page);
  }
}

/** The control surface of a simulator that a test started with START_OPTIONS. */
export function controlSurface(url: string) {
  const control = simulatorAt({ url, secret: CONTROL_SECRET });
  return {
    control,
    faults: async (change: Entry): Promise<void> => void (await control('faults', change)),
    book: () => readBook(control),
    /** The same as `control`, repeated while the simulator rejects the request, because it came too early. */
    whenItCan: (what: string, body: object) =>
      until(`${what} ${JSON.stringify(body)}`, () =>
        control(what, body).catch((error: unknown) => {
          if (!(error instanceof AssertionError)) throw error;
          return undefined;
        }),
      ),
  };
}

export function ofKind(entries: readonly Entry[], ...kinds: readonly string[]): readonly Entry[] {
  return entries.filter(({ kind }) => kinds.includes(String(kind)));
}
