/** Keeps a worker's copy of the pauses. */
import type { PauseStore } from '../../domain/routing/pause-store.ts';
import { createPauseView, PAUSES_FRESH_MS, type PauseView } from '../../domain/routing/pauses.ts';
import type { Clock } from '../../foundation/clock.ts';
import { createPeriodicWork } from '../periodic-work.ts';

interface WatchedPauses extends PauseView {
  stop(): Promise<void>;
}

/** Reads the pauses again each second. Resolves after the first read. */
export async function watchPauses(
  store: Pick<PauseStore, 'list'>,
  clock: Clock,
  onProblem: (problem: string, error: unknown) => void,
): Promise<WatchedPauses> {
  const read = async () => createPauseView(await store.list());
  let view = await read();
  const run = async () => {
    view = await read();
  };
  const reading = createPeriodicWork({
    tasks: [{ name: 'read the pauses', everyMs: PAUSES_FRESH_MS, afterMs: PAUSES_FRESH_MS, run }],
    clock,
    onProblem: (_, error) => onProblem('the pauses could not be read; the last known pauses stay in force', error),
  });
  reading.start();
  return {
    find: (payout) => view.find(payout),
    targets: () => view.targets(),
    stop: reading.stop,
  };
}
