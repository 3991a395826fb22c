/** Which objects the response about a payment names. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DepositAdjustmentKind } from '../../domain/deposits/deposit-adjustment.ts';
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import type { DepositRecord } from '../../domain/payments/deposit-record-store.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { relatedToDeposit } from './related-objects.ts';

const caller = (permissions: readonly string[]) =>
  ({ merchantId: null, permissions: new Set(permissions) }) as unknown as Caller;

it('a deposit’s related objects name each later report as a refund, a chargeback or a reversal', async () => {
  const kinds: readonly DepositAdjustmentKind[] = [
    'refunded',
    'refund_undone',
    'charged_back',
    'chargeback_undone',
    'debited',
  ];
  const record = {
    deposit: { merchantId: 'M1', transactionId: 7 },
    attempts: [],
    transfers: [],
    refunds: [],
    adjustments: kinds.map((kind, at) => ({ kind, key: `K${at}`, at })),
  } as unknown as DepositRecord;
  const related = await relatedToDeposit({} as GatewayOperations, record, caller([]), 0);
  assert.deepEqual(
    related.map(({ kind, id, state }) => [kind, id, state]),
    [
      ['refund', 'K0', 'refunded'],
      ['reversal', 'K1', 'refund_undone'],
      ['chargeback', 'K2', 'charged_back'],
      ['reversal', 'K3', 'chargeback_undone'],
      ['reversal', 'K4', 'debited'],
    ],
  );
});
