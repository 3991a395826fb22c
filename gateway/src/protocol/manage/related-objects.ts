/** The objects that belong to a payment, from its record, its batch, and the proposals about it. */

import { DEPOSIT_ENDPOINTS } from '../../../contract/endpoints/deposits.ts';
import { PAYOUT_ENDPOINTS } from '../../../contract/endpoints/payouts.ts';
import type { Related } from '../../../contract/parts/answer-parts.ts';
import type { DepositAdjustmentKind } from '../../domain/deposits/deposit-adjustment.ts';
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import type { DepositRecord } from '../../domain/payments/deposit-record-store.ts';
import type { PayoutRecord } from '../../domain/payouts/payout-record-store.ts';
import { type Caller, mayUse } from '../../domain/people/caller.ts';
import { stateOfProposal } from '../../domain/proposals/proposal-transitions.ts';
import type { Instant } from '../../foundation/clock.ts';
import { objectPath } from './acts/perform-act.ts';
import { teamOf } from './acts/two-people.ts';
import { instantText } from './views/instant-text.ts';

type Parts = Pick<GatewayOperations, 'batches' | 'proposals'>;

export async function relatedToPayout(
  { batches, proposals }: Parts,
  { payout, attempts, adjustments }: PayoutRecord,
  caller: Caller,
  now: Instant,
): Promise<Related[]> {
  const { merchantId, payoutId, purpose, beneficiary } = payout;
  const { order, transaction_id: transactionId = '' } = purpose === 'refund' ? beneficiary.fields : {};
  const batch = await batches.findByPayout(payout);
  const objects = [
    objectPath(PAYOUT_ENDPOINTS['payouts.show'].path, { merchantId, payoutId }),
    ...(transactionId === ''
      ? []
      : [objectPath(DEPOSIT_ENDPOINTS['deposits.refund'].path, { merchantId, transactionId })]),
  ];
  return [
    ...(order === undefined ? [] : [{ kind: 'order' as const, id: order, state: null, at: null }]),
    ...attempts.map(({ reference, outcome, startedAt }, place) => {
      // The bank decided after its response to the last attempt.
      const isDecided = payout.state !== 'pending' && place === attempts.length - 1 && outcome === 'pending';
      const state = isDecided ? payout.state : outcome;
      return { kind: 'attempt' as const, id: reference, state, at: instantText(startedAt) };
    }),
    ...adjustments
      .filter(({ kind }) => kind === 'reversed')
      .map(({ kind, rail, at }) => ({
        kind: 'reversal' as const,
        id: rail ?? payout.rail,
        state: kind,
        at: instantText(at),
      })),
    ...(batch
      ? [{ kind: 'batch' as const, id: batch.batchId, state: batch.state, at: instantText(batch.createdAt) }]
      : []),
    ...(await proposalsAbout(proposals, objects, caller, now)),
  ];
}

const ADJUSTMENTS: Readonly<Record<DepositAdjustmentKind, 'refund' | 'reversal' | 'chargeback'>> = {
  refunded: 'refund',
  refund_undone: 'reversal',
  charged_back: 'chargeback',
  chargeback_undone: 'reversal',
  debited: 'reversal',
};

export async function relatedToDeposit(
  { proposals }: Parts,
  { deposit, attempts, transfers, adjustments, refunds }: DepositRecord,
  caller: Caller,
  now: Instant,
): Promise<Related[]> {
  const { merchantId, transactionId } = deposit;
  const objects = [
    objectPath(DEPOSIT_ENDPOINTS['deposits.refund'].path, { merchantId, transactionId: String(transactionId) }),
    ...transfers.map(({ rail, transferKey }) =>
      objectPath(DEPOSIT_ENDPOINTS['transfers.resolve'].path, { rail, transferKey }),
    ),
  ];
  return [
    ...attempts.map(({ reference, state, startedAt }) => ({
      kind: 'attempt' as const,
      id: reference,
      state,
      at: instantText(startedAt),
    })),
    ...refunds.map(({ payout: { payoutId, state, acceptedAt } }) => ({
      kind: 'refund' as const,
      id: payoutId,
      state,
      at: instantText(acceptedAt),
    })),
    ...adjustments.map(({ kind, key, at }) => ({
      kind: ADJUSTMENTS[kind],
      id: key,
      state: kind,
      at: instantText(at),
    })),
    ...(await proposalsAbout(proposals, objects, caller, now)),
  ];
}

async function proposalsAbout(
  proposals: Parts['proposals'],
  objects: readonly string[],
  caller: Caller,
  now: Instant,
): Promise<Related[]> {
  if (!mayUse(caller, 'proposals:read')) return [];
  return (await proposals.about(teamOf(caller), objects)).map((record) => ({
    kind: 'proposal' as const,
    id: record.proposal.proposalId,
    state: stateOfProposal(record, now),
    at: instantText(record.proposal.createdAt),
  }));
}
