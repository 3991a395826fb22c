/**
 * Freedom Pay's statuses of a payout, as a table.
 *
 * Confirmed by Freedom Pay's pages: the statuses `success` and `error` are final, `process` is not decided; `pending` is in
 * the note next to them.
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
