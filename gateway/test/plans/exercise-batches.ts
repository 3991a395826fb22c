/** Runs every statement about batches and about known earlier payouts. */
import type { CheckedRow } from '../../src/domain/batches/batch-store.ts';
import { createBatchStore } from '../../src/storage/batches/batch-store.ts';
import type { Database } from '../../src/storage/core/database.ts';
import { emailsOf, findIds, findMaker, findSameContent } from '../../src/storage/payouts/earlier-payouts.ts';

const LATE = Date.UTC(2100, 0, 1);
const KEY = { merchantId: 'M1', batchId: 'B1' };

export async function exerciseBatches(database: Database): Promise<void> {
  await findMaker(database, { merchantId: 'M1', payoutId: 'P1' });
  await emailsOf(database, ['H1']);
  await findIds(database, 'M1', ['P1']);
  await findSameContent(database, {
    merchantId: 'M1',
    currency: 'EUR',
    since: LATE,
    contentHashes: [Buffer.alloc(32)],
  });
  const store = createBatchStore(database);
  const sealed = { masterKeyId: 'k', wrappedKey: Buffer.alloc(60), ciphertext: Buffer.alloc(60) };
  const rows = [1, 2].map((row) => ({ row, line: row, record: { merchantId: 'M1', token: `batch-${row}`, sealed } }));
  await store.add({ ...KEY, name: 'a file', createdAt: 1, createdBy: 'Ann', rows }, LATE);
  await store.find(KEY);
  await store.list('M1', null, 50);
  await store.findByPayout({ merchantId: 'M1', payoutId: 'P1' });
  await store.rows({ ...KEY, states: null, after: 0, limit: 50 });
  const checking = await store.claim(2, 3);
  if (!checking) throw new Error('no batch is due');
  await store.claimUnchecked(checking, 100, 4);
  await store.recordChecks(
    checking,
    rows.map(({ row }) => checkedRow(row)),
    5,
  );
  await store.checkedSoFar(KEY);
  await store.release(checking, 5);
  await store.completeCheck(checking, [], 6);
  const actor = { kind: 'person', id: 'H1', name: 'ann@example.com' } as const;
  await store.submit(KEY, { actor, people: ['H1'], mailbox: '', team: 'M1' }, 7);
  const accepting = await store.claim(8, 9);
  if (!accepting) throw new Error('no batch is due');
  await store.claimReady(accepting, 1, 10);
  await store.recordOutcomes(accepting, [{ row: 1, state: 'accepted', faults: [] }], 11, 12);
  await store.cancel(KEY, 'Ann', 13);
  await store.finish(accepting, 14);
  await exerciseDraft(database);
}

async function exerciseDraft(database: Database): Promise<void> {
  const store = createBatchStore(database);
  const sealed = { masterKeyId: 'k', wrappedKey: Buffer.alloc(60), ciphertext: Buffer.alloc(60) };
  const rows = [{ row: 1, line: 2, record: { merchantId: 'M1', token: 'batch-draft', sealed } }];
  await store.add({ ...KEY, batchId: 'B3', name: 'a file', createdAt: 1, createdBy: 'Ann', rows }, LATE);
  await store.cancel({ ...KEY, batchId: 'B3' }, 'Ann', 2);
}

function checkedRow(row: number): CheckedRow {
  return {
    row,
    state: 'ready',
    payoutId: `B1-${row}`,
    method: 9,
    currency: 'EUR',
    amount: 100n,
    fee: 0n,
    rail: 'a_rail',
    accountShown: '',
    contentHash: Buffer.alloc(32),
    availableAfter: 0n,
    faults: [],
    warning: null,
  };
}
