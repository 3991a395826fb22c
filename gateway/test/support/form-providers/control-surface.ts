/** What every simulator has below `/control`, as the tests use it. */
import assert from 'node:assert/strict';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import { until } from '../until.ts';
import type { Entry, Provider } from './provider.ts';

const SECRET = 'the control surface of the tests';

/** What every simulator is started with. */
export const EDGE = {
  host: '127.0.0.1',
  port: 0,
  secret: SECRET,
  control: true,
  clock: systemClock,
  log: () => {},
} as const;

const PAGE = 1_000;

export interface ControlSurface extends Pick<Provider, 'control' | 'faults' | 'whenItCan'> {
  book(): Promise<readonly Entry[]>;
}

export function controlSurface(origin: string): ControlSurface {
  const ask = (path: string, body?: Readonly<Record<string, unknown>>) =>
    fetch(`${origin}/control/${path}`, {
      headers: { authorization: `Bearer ${SECRET}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const control: Provider['control'] = async (path, body) => {
    const response = await ask(path, body);
    assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
    return (await response.json()) as Entry;
  };
  return {
    control,
    faults: async (change) => void (await control('faults', change)),
    async book() {
      const all: Entry[] = [];
      for (;;) {
        const { entries } = (await control(`book?after=${all.length}&limit=${PAGE}`)) as { entries: readonly Entry[] };
        all.push(...entries);
        if (entries.length < PAGE) return all;
      }
    },
    whenItCan: (path, body) =>
      until(`${path} ${JSON.stringify(body)}`, async () => {
        const response = await ask(path, body);
        return response.status === 200 ? ((await response.json()) as Entry) : undefined;
      }),
  };
}

export function ofKind(entries: readonly Entry[], ...kinds: readonly string[]): readonly Entry[] {
  return entries.filter(({ kind }) => kinds.includes(String(kind)));
}
