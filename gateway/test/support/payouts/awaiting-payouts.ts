/** Payouts that wait for approval, with the commands that end the wait, for tests of the stores. */

import { approvePayout } from '../../../src/domain/payouts/approval/approve-payout.ts';
import { expireApprovals } from '../../../src/domain/payouts/approval/expire-approvals.ts';
import { cancelPayout } from '../../../src/domain/payouts/cancel-payout.ts';
import { settlePayout } from '../../../src/domain/payouts/settle-payout.ts';
import type { Recovery } from '../../../src/domain/recovery/recovery.ts';
import { HOUR_MS } from '../../../src/foundation/clock.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { createApprovalStore } from '../../../src/storage/payouts/approval/approval-store.ts';
import { createPayoutJobStore } from '../../../src/storage/payouts/payout-job-store.ts';
import { createPayoutRecordStore } from '../../../src/storage/payouts/payout-record-store.ts';
import { merchantNamed } from '../merchants/merchant-named.ts';
import { REFERENCE_KEY } from '../tools/reference-key.ts';
import { claimOf, type PayoutBench, plainCallbacks } from './stored-payouts.ts';

const RAILS = [{ name: 'a_rail', methods: new Set([9]) }];
const NEVER = new AbortController().signal;

export async function acceptWaiting(bench: PayoutBench, payoutId: string, hours = 72): Promise<void> {
  const accepted = await bench.newPayout('m', payoutId, 10n);
  const approval = { by: bench.clock.now() + hours * HOUR_MS, why: ['above', '0.05 EUR'] } as const;
  await bench.store.accept({ ...accepted, approval });
}

/** Returns the commands of one process. */
export function approvalCommands(bench: PayoutBench, store = bench.store, recovery?: Recovery) {
  const directory = { find: async () => ({ merchant: merchantNamed('m'), keys: { api: [], form: [] } }) };
  const settle = withParts(settlePayout, {
    store,
    merchants: directory,
    compose: plainCallbacks,
    onSettled: () => {},
  });
  const { clock, database } = bench;
  const around = { payoutRecords: createPayoutRecordStore(database), payouts: bench.store, directory, clock, settle };
  const inRecovery = { recovery: async () => recovery, rails: RAILS };
  const [approve, cancel] = [withParts(approvePayout, around), withParts(cancelPayout, { ...around, ...inRecovery })];
  const approvals = createApprovalStore(database);
  return {
    approve: (payoutId: string, by = 'Ann', mailbox = '') =>
      approve({ merchantId: 'm', payoutId }, { by, person: by, mailbox, detail: '' }),
    cancel: (payoutId: string, onlyWaiting = false) =>
      cancel({ merchantId: 'm', payoutId }, 'a mistake', { onlyWaiting }),
    lapse: () => expireApprovals({ ...around, ...inRecovery, approvals }, NEVER),
  };
}

/** Begins attempts of queued payouts, as a worker does, and returns their ids. */
export async function claimQueued(bench: PayoutBench, limit = 10): Promise<readonly string[]> {
  const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
  const now = bench.clock.now();
  const claims = await jobs.claim(claimOf('a_rail', now, now + 1, limit));
  return claims.filter(({ isBegun }) => isBegun).map(({ payout }) => payout.payoutId);
}

export const stateOf = async (bench: PayoutBench, payoutId: string) =>
  (await bench.store.find({ merchantId: 'm', payoutId }))?.state;
