/** Reads our prefunded balance at a provider and reports it, so that the operator is alerted before it runs out. */
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { withDeadline } from '../../foundation/deadline.ts';
import type { FloatReader } from './float-reader.ts';
import { isLow, type RailFloat } from './rail-health.ts';
import type { RailHealthStore } from './rail-health-store.ts';

interface WatchFloatParts {
  readonly reader: FloatReader;
  readonly store: RailHealthStore;
  readonly clock: Clock;
  readonly onFloat: (float: RailFloat, isLow: boolean) => void;
}

const ANSWER_WITHIN_MS = 15 * SECOND_MS;

/** Throws the provider's reason if the balance could not be read, so that the caller reports it and retries. */
export async function watchFloat({ reader, store, clock, onFloat }: WatchFloatParts): Promise<void> {
  const reading = await withDeadline(clock, ANSWER_WITHIN_MS, (deadline) => reader.read(deadline));
  if (!reading.ok) throw new Error(`${reader.rail}: ${reading.error}`);
  await store.recordFloats(reader.rail, reading.value, clock.now());
  for (const float of await store.floats()) if (float.rail === reader.rail) onFloat(float, isLow(float));
}
