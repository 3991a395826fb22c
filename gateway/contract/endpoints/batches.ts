/** Batches: files of payouts, their rows as a check found them, and their submission. */
import { type Static, Type } from 'typebox';
import {
  Amount,
  CurrencyCode,
  Cursor,
  codedReason,
  Limit,
  MerchantId,
  NO_QUERY,
  nullable,
  pageOf,
  Reason,
  Time,
} from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN_QUERY } from '../parts/rehearsals.ts';
import { ROW_REASONS } from '../texts/row-reasons.ts';
import { BATCH_STATES, ROW_STATES } from '../texts/states.ts';
import { BlockedReason, PayoutState } from './payouts.ts';

const BatchId = Type.String({ pattern: '^[A-Za-z0-9-]{1,40}$', description: 'The gateway’s id of the batch' });
const OfMerchant = Type.Object({ merchantId: MerchantId });
const NamedBatch = Type.Object({ merchantId: MerchantId, batchId: BatchId });

const RowState = Type.Enum([...ROW_STATES]);
const Count = Type.Integer({ minimum: 0 });

export const Batch = Type.Object({
  merchantId: MerchantId,
  batchId: BatchId,
  name: Type.String(),
  state: Type.Enum([...BATCH_STATES]),
  rows: Count,
  totals: Type.Array(
    Type.Object({
      currency: CurrencyCode,
      rows: Count,
      amount: Amount,
      fee: Amount,
      availableAfter: { ...Amount, description: 'The available balance after all ready rows, as of the check' },
    }),
  ),
  createdAt: Time,
  createdBy: Type.String(),
  submittedAt: nullable(Time),
  submittedBy: nullable(Type.String()),
  endedAt: nullable(Time),
});
export type Batch = Static<typeof Batch>;

type RowCounts = Record<(typeof ROW_STATES)[number], typeof Count>;

const CountedBatch = Type.Object({
  ...Batch.properties,
  counts: Type.Object(Object.fromEntries(ROW_STATES.map((state) => [state, Count])) as RowCounts),
});
export type CountedBatch = Static<typeof CountedBatch>;

export const BatchRow = Type.Object({
  row: Type.Integer({ minimum: 1 }),
  line: Type.Integer({ description: 'The line number in the file' }),
  state: RowState,
  payoutId: nullable(Type.String()),
  method: nullable(Type.Integer()),
  currency: nullable(CurrencyCode),
  amount: nullable(Amount),
  fee: nullable(Amount),
  rail: nullable(Type.String()),
  account: nullable(Type.String({ description: 'The beneficiary’s account. A card number is masked' })),
  availableAfter: nullable(Amount, 'The available balance after this row, as of the check'),
  faults: Type.Array(
    Type.Object({ field: Type.String(), detail: Type.String(), ...codedReason(ROW_REASONS).properties }),
  ),
  warning: nullable(Type.String(), 'A warning. The gateway accepts the row nevertheless'),
  warningReason: nullable(codedReason(ROW_REASONS), 'The warning as a code for programs'),
  payoutState: nullable(PayoutState, 'The current state of the payout. Null if the row did not become a payout'),
  blockedReason: nullable(BlockedReason),
});
export type BatchRow = Static<typeof BatchRow>;

const BATCHES = { permission: 'payouts:create', audience: 'own' } as const;
const READ = { method: 'GET', permission: 'payouts:read', audience: 'own' } as const;

export const BATCH_ENDPOINTS = defineEndpoints({
  'batches.upload': {
    ...BATCHES,
    method: 'POST',
    path: '/merchants/{merchantId}/payout-batches',
    summary: 'Upload a CSV of at most 10000 payouts as a draft, which the gateway then checks',
    params: OfMerchant,
    query: NO_QUERY,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
        file: Type.String({
          maxLength: 7_000_000,
          description: 'The CSV in base64: UTF-8, a header with the API’s field names, at most 5 MiB',
        }),
      },
      { additionalProperties: false },
    ),
    answer: Batch,
    secretFields: ['file'],
    largestBodyBytes: 7_100_000,
    command: 'batch upload',
  },
  'batches.list': {
    ...READ,
    path: '/merchants/{merchantId}/payout-batches',
    summary: 'List the batches of a merchant, newest first',
    params: OfMerchant,
    query: Type.Object({ limit: Type.Optional(Limit), after: Type.Optional(Cursor) }, { additionalProperties: false }),
    answer: pageOf(Batch),
    command: 'batch list',
  },
  'batches.show': {
    ...READ,
    path: '/merchants/{merchantId}/payout-batches/{batchId}',
    summary: 'Show a batch with its totals and the number of rows in each state',
    params: NamedBatch,
    query: NO_QUERY,
    answer: CountedBatch,
    command: 'batch show',
  },
  'batches.rows': {
    ...READ,
    path: '/merchants/{merchantId}/payout-batches/{batchId}/rows',
    summary: 'List the rows of a batch in their order',
    params: NamedBatch,
    query: Type.Object(
      { state: Type.Optional(RowState), limit: Type.Optional(Limit), after: Type.Optional(Cursor) },
      { additionalProperties: false },
    ),
    answer: pageOf(BatchRow),
    showsPersonal: 'always',
    command: 'batch rows',
  },
  'batches.export': {
    ...READ,
    path: '/merchants/{merchantId}/payout-batches/{batchId}/export',
    summary: 'Write the rows of a batch as CSV, with their errors; by default all rows',
    params: NamedBatch,
    query: Type.Object({ state: Type.Optional(RowState) }, { additionalProperties: false }),
    answer: Type.Object(
      { items: Type.Array(BatchRow) },
      { description: 'Never sent as JSON: the response is the file' },
    ),
    files: ['text/csv'],
    command: 'batch rows',
  },
  'batches.submit': {
    ...BATCHES,
    method: 'POST',
    path: '/merchants/{merchantId}/payout-batches/{batchId}/submit',
    summary: 'Submit a checked batch; the gateway then accepts each ready row as a payout once',
    rehearsal: 'rule',
    stepUp: 'strongest',
    params: NamedBatch,
    query: DRY_RUN_QUERY,
    body: Type.Object(
      {
        skipFaulty: Type.Optional(Type.Boolean({ description: 'Skip invalid rows instead of failing' })),
        reason: Type.Optional(Reason),
      },
      { additionalProperties: false },
    ),
    answer: CountedBatch,
    command: 'batch submit',
  },
  'batches.cancel': {
    ...BATCHES,
    method: 'POST',
    path: '/merchants/{merchantId}/payout-batches/{batchId}/cancel',
    summary: 'Cancel a draft, or the rows of a submitted batch that are not yet accepted',
    params: NamedBatch,
    query: NO_QUERY,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
    answer: CountedBatch,
    command: 'batch cancel',
  },
});
