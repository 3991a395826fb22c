/** The functions that every simulator provides under `/control`, for the tests. */
import { AssertionError } from 'node:assert/strict';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import { readBook, simulatorAt } from '../rails/simulator-control.ts';
import { until } from '../tools/until.ts';
import type { Entry, Provider } from './provider.ts';

const SECRET = 'the control surface of the tests';

/** Options with which every simulator starts. */
export const EDGE = {
  host: '127.0.0.1',
  port: 0,
  secret: SECRET,
  control: true,
  clock: systemClock,
  log: () => {},
} as const;

interface ControlSurface extends Pick<Provider, 'control' | 'faults' | 'whenItCan'> {
  book(): Promise<readonly Entry[]>;
}

export function controlSurface(origin: string): ControlSurface {
  const control = simulatorAt({ url: origin, secret: SECRET });
  return {
    control,
    faults: async (change) => void (await control('faults', change)),
    book: () => readBook<Entry>(control),
    // A rejected request came too early and is repeated; any other error is thrown.
    whenItCan: (path, body) =>
      until(`${path} ${JSON.stringify(body)}`, () =>
        control(path, body).catch((error: unknown) => {
          if (!(error instanceof AssertionError)) throw error;
          return undefined;
        }),
      ),
  };
}

export function ofKind(entries: readonly Entry[], ...kinds: readonly string[]): readonly Entry[] {
  return entries.filter(({ kind }) => kinds.includes(String(kind)));
}
