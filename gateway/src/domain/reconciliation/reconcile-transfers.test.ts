import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import type { IncomingTransfer } from '../deposits/deposit.ts';
import { ListUnreadable, reconcileTransfers, type TransferReconciliation } from './reconcile-transfers.ts';
import type { DayList } from './transfer-lister.ts';

const transfer = (transferKey: string): IncomingTransfer => ({
  rail: 'a_rail',
  transferKey,
  payTo: '1',
  money: { currency: 'MXN', minor: 100n },
  originator: { name: '', account: '', institution: '', concept: '', trackingKey: transferKey },
  bookedAt: 0,
});

/**
 * Reconciles the given days and returns the results. An error instead of a list: the rail does not give a list of that day.
 */
async function reconcile(days: Readonly<Record<string, DayList | Error>>) {
  const processed: string[] = [];
  const reports: TransferReconciliation[] = [];
  const differences: string[] = [];
  const end = reconcileTransfers(
    {
      lister: {
        rail: 'a_rail',
        daysToReconcile: () => Object.keys(days),
        async transfersOf(day) {
          const list = days[day];
          assert.ok(list);
          if (list instanceof Error) throw list;
          return list;
        },
      },
      async processTransfer({ transferKey, money }) {
        processed.push(transferKey);
        return { kind: 'recorded', isSentBack: false, money };
      },
      differences: { report: async ({ kind, subject }) => void differences.push(`${kind} ${subject}`) },
      clock: createManualClock(0),
      onReconciled: (report) => reports.push(report),
    },
    AbortSignal.timeout(5_000),
  );
  const fault = await end.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { processed, reported: reports.map(({ day, listed, found }) => [day, listed, found]), differences, fault };
}

describe('the reconciliation of several days', () => {
  it('reconciliation records every transfer of each day’s list and reports each day', async () => {
    const first = { transfers: [transfer('A'), transfer('B')], unreadable: [] };
    const result = await reconcile({ first, second: { transfers: [transfer('C')], unreadable: [] } });
    assert.deepEqual(result, {
      processed: ['A', 'B', 'C'],
      reported: [
        ['first', 2, 2],
        ['second', 1, 1],
      ],
      differences: [],
      fault: undefined,
    });
  });

  it('reconciliation records the days after a day without a list, and then fails', async () => {
    const down = new Error('no list');
    const result = await reconcile({ first: down, second: { transfers: [transfer('C')], unreadable: [] } });
    assert.deepEqual(result, { processed: ['C'], reported: [['second', 1, 1]], differences: [], fault: down });
  });

  it('reconciliation records the readable transfers of a list, and an unreadable entry as a difference', async () => {
    const first = { transfers: [transfer('A')], unreadable: ['Ñ1: claveRastreo'] };
    const { processed, differences, fault } = await reconcile({
      first,
      second: { transfers: [transfer('C')], unreadable: [] },
    });
    assert.deepEqual(processed, ['A', 'C']);
    assert.ok(fault instanceof ListUnreadable);
    assert.equal(fault.message, 'a_rail first: Ñ1: claveRastreo');
    assert.deepEqual(differences, ['transfer_unreadable Ñ1: claveRastreo']);
  });
});
