/**
 * Performs an action on each item of a list, one after another. Each item is a separate action with its own idempotency key.
 */
import { ApiError, Proposed } from '../../api/api-error.ts';

type BulkState = 'waiting' | 'done' | 'proposed' | 'rejected' | 'unknown';

export interface BulkItem<Item> {
  readonly item: Item;
  /** A repeat of the action has the same key, so that no action happens twice. */
  readonly key: string;
  readonly state: BulkState;
  /** The reason for the rejection, or the id of its proposal. */
  readonly note: string;
}

/** Performs the actions that have no result yet. If a response is missing, a later run repeats the action with the same key. */
export async function* workThrough<Item>(
  items: readonly BulkItem<Item>[],
  perform: (item: Item, key: string) => Promise<unknown>,
  signal: AbortSignal,
): AsyncGenerator<BulkItem<Item>> {
  for (const each of items) {
    if (signal.aborted) return;
    if (each.state !== 'waiting' && each.state !== 'unknown') continue;
    yield { ...each, ...(await resultOf(() => perform(each.item, each.key))) };
  }
}

async function resultOf(act: () => Promise<unknown>): Promise<Pick<BulkItem<unknown>, 'state' | 'note'>> {
  try {
    await act();
    return { state: 'done', note: '' };
  } catch (error) {
    if (error instanceof Proposed) return { state: 'proposed', note: error.proposalId };
    if (!(error instanceof ApiError)) throw error;
    // Other errors prove nothing: the first request with this key may still run, or the action may have happened before the
    // gateway failed.
    const isKnown = error.problem !== null && error.status >= 400 && error.status < 500 && error.status !== 409;
    return { state: isKnown ? 'rejected' : 'unknown', note: error.message };
  }
}
