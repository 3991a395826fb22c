/** The lists of payments as data: their columns, their order, and the condition of each filter. */
import type { Callback } from '../../domain/callbacks/callback.ts';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import type { ListedAttempt, ListedLedgerLine, ListedRefund, ListedTransfer } from '../../domain/lists/list-store.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { LoggedRequest } from '../../domain/requests/logged-request.ts';
import { CALLBACK_COLUMNS, type CallbackRow, callbackFromRow } from '../callbacks/callback-store.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptFromRow } from '../deposits/attempt-rows.ts';
import {
  DEPOSIT_COLUMNS,
  type DepositRow,
  depositFromRow,
  type IncomingTransferRow,
  TRANSFER_IN_COLUMNS,
  transferFromRow,
} from '../deposits/deposit-rows.ts';
import { type LineRow, ledgerLineFromRow } from '../ledger/ledger-lines.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from '../payouts/payout-rows.ts';
import { REQUEST_COLUMNS, type RequestRow, requestFromRow } from '../requests/request-rows.ts';
import type { Filter, ListShape } from './keyset-list.ts';

const same = (column: string): Filter => ({ sql: (value) => `${column} = ${value}` });
const narrow = (column: string): Filter => ({ ...same(column), isNarrow: true });
const atLeast = (column: string): Filter => ({ sql: (value) => `${column} >= ${value}` });
const atMost = (column: string): Filter => ({ sql: (value) => `${column} <= ${value}` });
const inNewest = (filter: Filter): Filter => ({ ...filter, isInNewest: true });
// `offset 0` keeps a subquery of cards a lookup for each checked row. Otherwise the planner would join all cards.
const lastFour = (column: string): Filter => ({ sql: (value) => `right(${column}, 4) = ${value}` });

const PAYOUT_FILTERS: Readonly<Record<string, Filter>> = {
  state: same('p.state'),
  blockedReason: same('p.blocked_reason'),
  purpose: same('p.purpose'),
  method: same('p.method'),
  rail: same('p.rail'),
  currency: same('p.currency'),
  minAmount: inNewest(atLeast('p.amount')),
  maxAmount: inNewest(atMost('p.amount')),
  payoutId: narrow('p.payout_id'),
  transactionId: narrow('p.transaction_id'),
  account: narrow('p.account_shown'),
  lastFour: lastFour('p.account_shown'),
};

const PAYOUT_ORDER = { alias: 'p', time: 'accepted_at', ties: ['transaction_id'] } as const;

export const PAYOUTS: ListShape<PayoutRow, Payout> = {
  ...PAYOUT_ORDER,
  columns: PAYOUT_COLUMNS,
  from: 'payouts as p',
  isByCurrency: true,
  filters: PAYOUT_FILTERS,
  itemOf: payoutFromRow,
};

/** Each pending payout has a job, and jobs are few unless a backlog grows. */
export const PENDING_PAYOUTS: ListShape<PayoutRow, Payout> = {
  ...PAYOUT_ORDER,
  columns: PAYOUT_COLUMNS,
  from: 'payout_jobs as j join payouts as p using (merchant_id, payout_id)',
  filters: { ...PAYOUT_FILTERS, state: narrow('p.state') },
  itemOf: payoutFromRow,
};

/** A batch has at most ten thousand rows, and its primary key finds them. */
export const BATCH_PAYOUTS: ListShape<PayoutRow, Payout> = {
  ...PENDING_PAYOUTS,
  from: 'payout_batch_rows as r join payouts as p using (merchant_id, payout_id)',
  always: `r.state = 'accepted'`,
  filters: { ...PAYOUT_FILTERS, batchId: narrow('r.batch_id') },
};

/** The gateway's own payouts: returns and refunds. */
export const OWN_PAYOUTS: ListShape<PayoutRow, Payout> = {
  ...PAYOUT_ORDER,
  columns: PAYOUT_COLUMNS,
  from: 'payouts as p',
  filters: PAYOUT_FILTERS,
  itemOf: payoutFromRow,
  always: `p.purpose <> 'payout'`,
};

interface RefundRow extends PayoutRow {
  order_id: string;
  deposit_transaction_id: bigint;
  attempt: number;
  reason: string;
}

export const REFUNDS: ListShape<RefundRow, ListedRefund> = {
  ...PAYOUT_ORDER,
  columns: PAYOUT_COLUMNS,
  from: 'payouts as p',
  always: `p.purpose <> 'payout' and p.purpose = 'refund'`,
  more: {
    columns: 'f.attempt, f.reason, f.transaction_id as deposit_transaction_id, d.order_id',
    join: `join deposit_refunds as f on f.merchant_id = p.merchant_id and f.payout_id = p.payout_id
      join deposits as d on d.merchant_id = f.merchant_id and d.transaction_id = f.transaction_id`,
  },
  filters: PAYOUT_FILTERS,
  itemOf: (row) => ({
    payout: payoutFromRow(row),
    orderId: row.order_id,
    depositTransactionId: Number(row.deposit_transaction_id),
    attempt: row.attempt,
    reason: row.reason,
  }),
};

export const DEPOSITS: ListShape<DepositRow, Deposit> = {
  columns: DEPOSIT_COLUMNS,
  from: 'deposits as d',
  alias: 'd',
  time: 'created_at',
  ties: ['transaction_id'],
  isByCurrency: true,
  filters: {
    state: same('d.state'),
    failReason: same('d.fail_reason'),
    paymentType: same('d.payment_type'),
    rail: same('d.rail'),
    currency: same('d.currency'),
    minAmount: inNewest(atLeast('d.amount')),
    maxAmount: inNewest(atMost('d.amount')),
    orderId: narrow('d.order_id'),
    transactionId: narrow('d.transaction_id'),
    uuid: narrow('d.uuid'),
    payTo: narrow('d.pay_to'),
    payerId: same(`d.payer ->> 'userId'`),
    lastFour: {
      sql: (value) => `exists (select from payment_cards as k
        where k.merchant_id = d.merchant_id and k.transaction_id = d.transaction_id and right(k.mask, 4) = ${value} offset 0)`,
      isSubquery: true,
    },
  },
  itemOf: depositFromRow,
};

const OF_DEPOSIT = 'd.merchant_id = a.merchant_id and d.transaction_id = a.transaction_id';
const OF_CARD = 'k.merchant_id = a.merchant_id and k.transaction_id = a.transaction_id and k.attempt = a.attempt';
// Citus joins distributed tables only with each other, and the page is not a distributed table.
const CARD_OF_DEPOSIT =
  'k.merchant_id = d.merchant_id and k.transaction_id = d.transaction_id and k.attempt = a.attempt';

type PaymentRow = AttemptRow & Pick<DepositRow, 'order_id' | 'currency' | 'amount'> & { mask: string | null };

export const PAYMENTS: ListShape<PaymentRow, ListedAttempt> = {
  columns: ATTEMPT_COLUMNS,
  from: 'payment_attempts as a',
  alias: 'a',
  time: 'started_at',
  ties: ['transaction_id', 'attempt'],
  more: {
    columns: `k.mask, d.order_id, d.currency, d.amount`,
    join: `join deposits as d on ${OF_DEPOSIT} left join payment_cards as k on ${CARD_OF_DEPOSIT}`,
  },
  filters: {
    state: same('a.state'),
    refusal: same('a.refusal'),
    paymentType: same('a.payment_type'),
    rail: same('a.rail'),
    transactionId: same('a.transaction_id'),
    reference: same('a.reference'),
    providerReference: narrow('a.provider_reference'),
    lastFour: {
      sql: (value) =>
        `exists (select from payment_cards as k where ${OF_CARD} and right(k.mask, 4) = ${value} offset 0)`,
      isSubquery: true,
    },
  },
  itemOf: ({ mask, ...row }) => ({
    ...attemptFromRow(row),
    ...(mask === null ? {} : { cardMask: mask }),
    orderId: row.order_id,
    money: { currency: row.currency, minor: row.amount },
  }),
};

export const TRANSFERS: ListShape<IncomingTransferRow & { order_id: string | null }, ListedTransfer> = {
  columns: `${TRANSFER_IN_COLUMNS}, t.state`,
  from: 'transfers_in as t',
  alias: 't',
  time: 'recorded_at',
  ties: ['rail', 'transfer_key', 'merchant_id'],
  more: {
    columns: 'd.order_id',
    join: 'left join deposits as d on d.merchant_id = t.merchant_id and d.transaction_id = t.transaction_id',
  },
  filters: {
    state: same('t.status'),
    mismatch: same('t.mismatch'),
    rail: same('t.rail'),
    currency: same('t.currency'),
    minAmount: atLeast('t.amount'),
    maxAmount: atMost('t.amount'),
    transferKey: same('t.transfer_key'),
    payTo: same('t.pay_to'),
    transactionId: same('t.transaction_id'),
    account: same(`t.originator ->> 'account'`),
  },
  itemOf: (row) => ({ ...transferFromRow(row), orderId: row.order_id }),
};

/** Held money has few rows, and a separate index contains them. */
export const HELD_TRANSFERS: typeof TRANSFERS = { ...TRANSFERS, always: `t.state = 'held'` };

export const CALLBACKS: ListShape<CallbackRow, Callback> = {
  columns: CALLBACK_COLUMNS,
  from: 'callbacks as c',
  alias: 'c',
  time: 'created_at',
  ties: ['callback_id', 'merchant_id'],
  filters: {
    state: same('c.state'),
    subject: same('c.subject'),
    subjectId: same('c.subject_id'),
    callbackId: same('c.callback_id'),
  },
  itemOf: callbackFromRow,
};

/** The few callbacks of a payout or an order, by their ids. */
export const CALLBACKS_OF_SUBJECT: typeof CALLBACKS = {
  ...CALLBACKS,
  filters: {
    ...CALLBACKS.filters,
    keys: {
      sql: (value) => `(c.merchant_id, c.callback_id) in (
        select k.merchant_id, k.callback_id from json_to_recordset(${value}) as k(merchant_id text, callback_id text))`,
      isNarrow: true,
    },
  },
};

/** Due and undelivered callbacks have few rows, and separate indexes contain them. */
export const UNFINISHED_CALLBACKS: typeof CALLBACKS = {
  ...CALLBACKS,
  filters: { ...CALLBACKS.filters, state: narrow('c.state') },
};

/** A merchant has few requests. */
export const REQUESTS: ListShape<RequestRow, LoggedRequest> = {
  columns: REQUEST_COLUMNS,
  from: 'logged_requests as q',
  alias: 'q',
  time: 'received_at',
  ties: ['request_id', 'merchant_id'],
  filters: {
    endpoint: same('q.endpoint'),
    outcome: same('q.outcome'),
    reason: same('q.reason'),
    subjectId: same('q.subject_id'),
    requestId: same('q.request_id'),
  },
  itemOf: requestFromRow,
};

type ListedLineRow = LineRow & { merchant_id: string; line: number };

/** The ledger of all merchants. Its index is ordered only by time, so the merchant is a filter like the others. */
export const LEDGER: ListShape<ListedLineRow, ListedLedgerLine> = {
  columns: `l.merchant_id, l.journal_id, l.line, l.kind, l.currency, l.debit_account, l.credit_account, l.amount, l.note, l.posted_at`,
  from: 'ledger_transfers as l',
  alias: 'l',
  time: 'posted_at',
  ties: ['journal_id', 'line', 'merchant_id'],
  filters: {
    merchantId: same('l.merchant_id'),
    currency: same('l.currency'),
    minAmount: atLeast('l.amount'),
    maxAmount: atMost('l.amount'),
    kind: same('l.kind'),
    account: { sql: (value) => `${value} in (l.debit_account, l.credit_account)` },
    journal: same('l.journal_id'),
  },
  itemOf: (row) => ({ ...ledgerLineFromRow(row), merchantId: row.merchant_id, line: row.line }),
};

/** The few transfers of one merchant or of one of its journals, by their key. */
export const OWN_LEDGER: typeof LEDGER = {
  ...LEDGER,
  filters: { ...LEDGER.filters, merchantId: narrow('l.merchant_id'), journal: narrow('l.journal_id') },
};
