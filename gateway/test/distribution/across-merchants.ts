/**
 * The statements that are asked of all nodes, by file and table, each with its reason. Citus runs them: it asks every
 * shard and puts the answers together, and what they change is committed in two phases.
 */

export interface AcrossMerchants {
  /** In storage. */
  readonly file: string;
  readonly tables: readonly string[] | 'all';
  readonly kind: 'claim' | 'sweep' | 'statistics' | 'operator' | 'verification';
  readonly reason: string;
}

export const ACROSS_MERCHANTS: readonly AcrossMerchants[] = [
  {
    file: 'payout-job-store.ts',
    tables: ['payout_jobs'],
    kind: 'claim',
    reason:
      'a worker takes what is due at a rail, whose it is; by update … returning, one process at a time for each rail',
  },
  {
    file: 'callback-queue.ts',
    tables: ['callback_lanes'],
    kind: 'claim',
    reason: 'which lanes are ready; each is then taken by its merchant’s name',
  },
  {
    file: 'payment-store.ts',
    tables: ['payment_attempts'],
    kind: 'claim',
    reason: 'a worker takes what is due at a rail, as with payouts',
  },
  {
    file: 'adjustment-store.ts',
    tables: ['deposit_adjustments'],
    kind: 'sweep',
    reason: 'what is short of its money, out of an index of few rows',
  },
  {
    file: 'payment-store.ts',
    tables: ['form_sessions'],
    kind: 'sweep',
    reason: 'what payers left is destroyed in time, some hundred at once',
  },
  {
    file: 'vault-store.ts',
    tables: ['vault_records', 'vault_expiries'],
    kind: 'sweep',
    reason: 'what is past its time is destroyed, some hundred at once; a rotation looks for what is under another key',
  },
  { file: 'vault-store.ts', tables: ['merchant_keys'], kind: 'operator', reason: 'which master keys are still needed' },
  { file: 'deposit-store.ts', tables: ['deposits'], kind: 'sweep', reason: 'whose time is over, the longest first' },
  {
    file: 'deposit-record-store.ts',
    tables: ['transfers_in'],
    kind: 'operator',
    reason: 'money that waits for a decision',
  },
  {
    file: 'deposit-record-store.ts',
    tables: ['merchants'],
    kind: 'operator',
    reason: 'the newest deposits, or those of an order: each merchant’s by an index',
  },
  {
    file: 'payout-record-store.ts',
    tables: ['merchants', 'payout_jobs'],
    kind: 'operator',
    reason: 'the newest payouts: each merchant’s by an index; the pending ones out of the queue',
  },
  {
    file: 'reconciliation-store.ts',
    tables: ['ledger_transfers'],
    kind: 'sweep',
    reason: 'a part of a day’s ledger, whosever it is; what is joined to it is each merchant’s',
  },
  {
    file: 'reconciliation-store.ts',
    tables: ['payout_jobs'],
    kind: 'operator',
    reason: 'how many payouts of a rail wait and were not compared',
  },
  {
    file: 'reconciliation-store.ts',
    tables: ['ledger_accounts'],
    kind: 'operator',
    reason:
      'whose payout has a transaction id that stands on a bank’s list alone: a look-up for each merchant and currency',
  },
  { file: 'pause-store.ts', tables: ['payout_jobs'], kind: 'operator', reason: 'whom a pause that ends held back' },
  { file: 'merchant-store.ts', tables: ['merchants'], kind: 'operator', reason: 'the list of merchants' },
  {
    file: 'queue-statistics.ts',
    tables: ['payout_jobs', 'callbacks', 'callback_lanes'],
    kind: 'statistics',
    reason: 'how deep the queues are; spaced by what it costs',
  },
  {
    file: 'recovery-store.ts',
    tables: ['payout_jobs'],
    kind: 'operator',
    reason: 'what no bank was asked about since the restore',
  },
  { file: 'verify-continuously.ts', tables: ['merchants'], kind: 'verification', reason: 'whom to look at' },
  { file: 'verify-invariants.ts', tables: 'all', kind: 'verification', reason: 'all books at once' },
  { file: 'verify-deposit-invariants.ts', tables: 'all', kind: 'verification', reason: 'all books at once' },
];

/** What a cluster would refuse, and is never sent: storage asks first whether there is one. */
export const ON_ONE_SERVER: readonly string[] = [
  'select merchant_id from callback_lanes where merchant_id = any($1::text[]) for no key update skip locked',
];
