/** Whether a payout's money left, according to the gateway's records. */
import type { PayoutRecord } from '../../../src/domain/payouts/payout-record-store.ts';

export function isPaid({ payout, adjustments }: PayoutRecord): boolean {
  const kinds = adjustments.map(({ kind }) => kind);
  return (payout.state === 'success' || kinds.includes('late_execution')) && !kinds.includes('reversed');
}

/** Describes the history of a payout for the message of a failed check. */
export function lifeOf({ payout, history, adjustments }: PayoutRecord): string {
  const ends = history.map(({ event, actor, detail }) => `${event} ${actor} ${detail}`).join('; ');
  return `${payout.payoutId} is ${payout.state} ${adjustments.map(({ kind }) => kind)} (${ends})`;
}
