/**
 * The statements that query all nodes, by file and table, each with the reason. Citus queries every shard and merges the
 * results. It commits their changes in two phases.
 */

interface AcrossMerchants {
  /** The file in `storage`. */
  readonly file: string;
  readonly tables: readonly string[] | 'all';
  readonly kind: 'claim' | 'sweep' | 'statistics' | 'operator' | 'verification';
  readonly reason: string;
}

export const ACROSS_MERCHANTS: readonly AcrossMerchants[] = [
  {
    file: 'batch-work.ts',
    tables: ['payout_batches'],
    kind: 'claim',
    reason: 'a worker looks for the batch of any merchant that is due, by an index of the open ones',
  },
  {
    file: 'act-store.ts',
    tables: ['audit_entries', 'audit_heads'],
    kind: 'operator',
    reason: 'the operator reads the actions on all merchants in one list, and the head of each chain',
  },
  {
    file: 'balance-history.ts',
    tables: ['ledger_accounts', 'ledger_closings', 'ledger_transfers'],
    kind: 'operator',
    reason: 'the trial balance adds the accounts of all merchants',
  },
  {
    file: 'request-log-store.ts',
    tables: ['logged_requests'],
    kind: 'sweep',
    reason: 'retention deletes the oldest entries of all merchants, by an index in time',
  },
  {
    file: 'watch-postings.ts',
    tables: ['ledger_transfers'],
    kind: 'operator',
    reason: 'a dry run reads the few journals that one action posted, by their whole keys',
  },
  {
    file: 'verify-audit-invariants.ts',
    tables: ['audit_entries', 'audit_heads'],
    kind: 'verification',
    reason: 'each chain is checked on the node of its merchant; proposals are compared with the actions of all',
  },
  {
    file: 'claim-payouts.ts',
    tables: ['payout_jobs'],
    kind: 'claim',
    reason:
      'a worker claims due payouts of a rail, whichever merchant owns them; by update … returning, one process at a time per rail',
  },
  {
    file: 'callback-store.ts',
    tables: ['callback_lanes', 'callbacks'],
    kind: 'operator',
    reason: 'the failing lanes with their oldest callbacks, for the inbox',
  },
  {
    file: 'lane-store.ts',
    tables: ['callback_lanes'],
    kind: 'claim',
    reason: 'finds ready lanes; each is then claimed by its merchant’s id',
  },
  {
    file: 'payment-store.ts',
    tables: ['payment_attempts'],
    kind: 'claim',
    reason: 'a worker claims due attempts of a rail, as with payouts',
  },
  {
    file: 'receipt-email-store.ts',
    tables: ['receipt_emails'],
    kind: 'sweep',
    reason: 'finds receipts that are due, out of an index of few rows; each is then taken by its merchant’s id',
  },
  {
    file: 'adjustment-store.ts',
    tables: ['deposit_adjustments'],
    kind: 'sweep',
    reason: 'adjustments with a shortfall, out of an index of few rows',
  },
  {
    file: 'form-sessions.ts',
    tables: ['form_sessions'],
    kind: 'sweep',
    reason: 'expired form sessions are destroyed, some hundred per statement',
  },
  {
    file: 'destroy-records.ts',
    tables: ['merchants', 'vault_records', 'vault_expiries'],
    kind: 'sweep',
    reason: 'expired records are destroyed, some hundred per statement',
  },
  {
    file: 'vault-store.ts',
    tables: ['vault_records'],
    kind: 'sweep',
    reason: 'a rotation finds records under a former key',
  },
  {
    file: 'vault-store.ts',
    tables: ['merchant_keys'],
    kind: 'operator',
    reason: 'the master keys that are still needed',
  },
  {
    file: 'deposit-store.ts',
    tables: ['deposits'],
    kind: 'sweep',
    reason: 'deposits whose time has ended, the oldest first',
  },
  {
    file: 'deposit-record-store.ts',
    tables: ['transfers_in'],
    kind: 'operator',
    reason: 'held money that waits for a decision',
  },
  {
    file: 'list-shapes.ts',
    tables: ['merchants', 'deposits', 'deposit_refunds', 'payment_cards'],
    kind: 'operator',
    reason: 'what belongs to the items of a page, each by its merchant; the page itself may be of all merchants',
  },
  {
    file: 'list-store.ts',
    tables: ['payout_jobs'],
    kind: 'operator',
    reason: 'whether the queue is short, before the operator lists it',
  },
  {
    file: 'reconciliation-store.ts',
    tables: ['ledger_transfers'],
    kind: 'sweep',
    reason: 'a part of a day’s ledger of all merchants; the joined rows belong to the same merchant',
  },
  {
    file: 'reconciliation-store.ts',
    tables: ['payout_jobs'],
    kind: 'operator',
    reason: 'the number of a rail’s payouts that wait and were not compared',
  },
  {
    file: 'reconciliation-store.ts',
    tables: ['ledger_accounts'],
    kind: 'operator',
    reason:
      'finds the merchant of a transaction id that only a bank’s list shows: a lookup for each merchant and currency',
  },
  {
    file: 'pause-store.ts',
    tables: ['payout_jobs'],
    kind: 'operator',
    reason: 'the merchants whose payouts an ending pause held back',
  },
  {
    file: 'approval-store.ts',
    tables: ['payout_jobs'],
    kind: 'sweep',
    reason: 'the payouts whose approval is overdue, in small pages',
  },
  { file: 'merchant-store.ts', tables: ['merchants'], kind: 'operator', reason: 'the list of merchants' },
  {
    file: 'queue-statistics.ts',
    tables: ['payout_jobs', 'callbacks', 'callback_lanes'],
    kind: 'statistics',
    reason: 'the depth of the queues; reads are spaced by their cost',
  },
  {
    file: 'recovery-store.ts',
    tables: ['payout_jobs'],
    kind: 'operator',
    reason: 'the payouts that no bank was asked about since the restore',
  },
  {
    file: 'closing-store.ts',
    tables: ['merchants', 'ledger_closings'],
    kind: 'sweep',
    reason: 'the end of an hour is announced to all merchants, and open hours are found; the hours close by merchant',
  },
  {
    file: 'hourly-volumes.ts',
    tables: ['ledger_transfers'],
    kind: 'sweep',
    reason: 'the caller chooses the part of the ledger; the joined rows belong to the same merchant',
  },
  {
    file: 'volume-store.ts',
    tables: ['payment_volumes', 'ledger_closings'],
    kind: 'operator',
    reason: 'the operator’s volumes of all merchants together',
  },
  {
    file: 'compare-balances.ts',
    tables: ['ledger_transfers'],
    kind: 'verification',
    reason: 'a restored ledger is compared with the serving one, account by account',
  },
  { file: 'verify-history-invariants.ts', tables: 'all', kind: 'verification', reason: 'all books together' },
  { file: 'verify-continuously.ts', tables: ['merchants'], kind: 'verification', reason: 'the merchants to verify' },
  { file: 'verify-invariants.ts', tables: 'all', kind: 'verification', reason: 'all books together' },
  { file: 'verify-deposit-invariants.ts', tables: 'all', kind: 'verification', reason: 'all books together' },
];

/** Statements that Citus would reject. Storage never sends them to a cluster. */
export const ON_ONE_SERVER: readonly string[] = [
  'select merchant_id from callback_lanes where merchant_id = any($1::text[]) for no key update skip locked',
];
