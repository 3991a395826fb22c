/**
 * A table of Freedom Pay's statuses of a payout.
 *
 * Confirmed by Freedom Pay's pages: the statuses `success` and `error` are final, `process` is not decided; `pending`
 * in the note next to them.
 */
export type FreedomPayState = 'executed' | 'declined' | 'pending';

const STATES: ReadonlyMap<string, FreedomPayState> = new Map([
  ['success', 'executed'],
  ['error', 'declined'],
  ['process', 'pending'],
  ['pending', 'pending'],
]);

/** Returns undefined for an unknown status. */
export function stateOf(word: string): FreedomPayState | undefined {
  return STATES.get(word);
}
