/** Batches: their upload, the results of their check, and their submission. */
import type {
  BATCH_ENDPOINTS,
  Batch as BatchView,
  BatchRow as RowView,
} from '../../../../contract/endpoints/batches.ts';
import type { Batch, ListedRow, ROW_STATES, RowCounts, Submitter } from '../../../domain/batches/batch.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { fail, ok } from '../../../foundation/result.ts';
import { csvLine } from '../../../foundation/text/csv.ts';
import { teamOf } from '../acts/two-people.ts';
import type { HandlersOf } from '../handler.ts';
import { readCursor, writeCursor } from '../lists/cursor.ts';
import { INVALID_CURSOR, type ManageProblem, NOT_FOUND } from '../problems.ts';
import { rowReasonText, viewReason } from '../views/history-views.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';
import { actorsShownTo, type Mask, maskFor, type ShowActor, showAll } from '../views/mask.ts';
import { makerOf, mayHaveForgotten } from './new-payouts.ts';

type Handlers = HandlersOf<typeof BATCH_ENDPOINTS>;

type Operations = Pick<GatewayOperations, 'batches' | 'recovery' | 'people'>;

export function batchHandlers(operations: Operations): Handlers {
  return { ...uploadHandlers(operations), ...readHandlers(operations), ...endHandlers(operations) };
}

type FoundBatch = NonNullable<Awaited<ReturnType<Operations['batches']['find']>>>;

function viewFound({ batch, counts }: FoundBatch, show: ShowActor) {
  return { ...viewBatch(batch, show), counts: { ...counts } };
}

async function showFound({ people }: Pick<Operations, 'people'>, found: FoundBatch, caller: Caller) {
  return viewFound(found, await actorsShownTo(caller, people.actorNames));
}

const FORGOTTEN: ManageProblem = {
  code: 'rejected',
  detail:
    'The gateway is recovering from a restore and may have lost an earlier upload of this file. Upload it after the recovery, without the rows that were paid.',
};

function uploadHandlers({ batches, recovery, people }: Operations): Pick<Handlers, 'batches.upload'> {
  return {
    async 'batches.upload'({ params: { merchantId }, body: { name, file }, caller, act }) {
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(file)) return fail(NOT_BASE64);
      if (await mayHaveForgotten(recovery)) return fail(FORGOTTEN);
      const batchId = `batch-${act.slice(0, 20)}`;
      const upload = { merchantId, batchId, name, by: caller.actor.name, file: Buffer.from(file, 'base64') };
      const uploaded = await batches.upload(upload);
      if (!uploaded.ok)
        return fail(
          uploaded.error.kind === 'unreadable'
            ? { code: 'invalid-request', field: '/file', detail: uploaded.error.detail }
            : NOT_FOUND,
        );
      const found = await batches.find(uploaded.value);
      if (!found) return fail(NOT_FOUND);
      const answer = viewBatch(found.batch, await actorsShownTo(caller, people.actorNames));
      const created = `merchants/${merchantId}/payout-batches/${batchId}`;
      const change = { before: null, after: viewBatch(found.batch, showAll) };
      return ok({ answer, change, hasSecret: false, created });
    },
  };
}

function readHandlers(
  operations: Operations,
): Pick<Handlers, 'batches.list' | 'batches.show' | 'batches.rows' | 'batches.export'> {
  const { batches, people } = operations;
  return {
    async 'batches.list'({ params: { merchantId }, query: { limit = 50, after }, caller }) {
      const place = after === undefined ? null : placeOf(after);
      if (place === undefined) return fail(INVALID_CURSOR);
      const found = await batches.list(merchantId, place, limit + 1);
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      const show = await actorsShownTo(caller, people.actorNames);
      const next = last ? writeCursor([last.createdAt, last.batchId]) : null;
      return ok({ answer: { items: items.map((batch) => viewBatch(batch, show)), next } });
    },
    async 'batches.show'({ params, caller }) {
      const found = await batches.find(params);
      return found ? ok({ answer: await showFound(operations, found, caller) }) : fail(NOT_FOUND);
    },
    async 'batches.rows'({ params, query: { state, limit = 50, after }, caller }) {
      const [from] = after === undefined ? [0] : (readCursor(after) ?? []);
      if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0 || from > 1_000_000)
        return fail(INVALID_CURSOR);
      if (!(await batches.find(params))) return fail(NOT_FOUND);
      const query = { ...params, states: state ? [state] : null, after: from, limit: limit + 1 };
      const found = await batches.rows(query);
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      const mask = maskFor(caller);
      return ok({
        answer: { items: items.map((row) => viewRow(row, mask)), next: last ? writeCursor([last.row]) : null },
      });
    },
    async 'batches.export'({ params, query: { state }, caller }) {
      if (!(await batches.find(params))) return fail(NOT_FOUND);
      const pieces = exportRows(batches, { ...params, states: state ? [state] : null }, maskFor(caller));
      return ok({ file: { name: `${params.batchId}.csv`, contentType: 'text/csv; charset=utf-8', pieces } });
    },
  };
}

function endHandlers(operations: Operations): Pick<Handlers, 'batches.submit' | 'batches.cancel'> {
  const { batches } = operations;
  return {
    async 'batches.submit'({ params, body, caller }) {
      const found = await batches.find(params);
      if (!found) return fail(NOT_FOUND);
      const problem = submitProblem(found.batch.state, found.counts, body.skipFaulty ?? false);
      if (problem) return fail(problem);
      if (!(await batches.submit(params, submitterOf(caller)))) return fail(NOT_READY);
      const answer = await showFound(operations, (await batches.find(params)) ?? found, caller);
      const before = viewFound(found, showAll);
      return ok({ answer, change: { before, after: { state: answer.state, totals: answer.totals } } });
    },
    async 'batches.cancel'({ params, caller }) {
      const found = await batches.find(params);
      if (!found) return fail(NOT_FOUND);
      const cancelled = await batches.cancel(params, caller.actor.name);
      if (cancelled === undefined) return fail({ code: 'rejected', detail: 'The batch is already final.' });
      const answer = await showFound(operations, (await batches.find(params)) ?? found, caller);
      return ok({ answer, change: { before: { counts: { ...found.counts } }, after: { counts: answer.counts } } });
    },
  };
}

function submitterOf(caller: Caller): Submitter {
  return { ...makerOf(caller), team: caller.actor.kind === 'emergency' ? null : teamOf(caller) };
}

function submitProblem(state: string, { ready, faulty }: RowCounts, skipFaulty: boolean): ManageProblem | undefined {
  if (state !== 'ready') return NOT_READY;
  if (ready === 0)
    return { code: 'rejected', detail: 'No row of the batch is ready. Correct the file, and upload it again.' };
  if (faulty === 0 || skipFaulty) return undefined;
  return {
    code: 'rejected',
    field: '/skipFaulty',
    detail: `skipFaulty is not true, and ${faulty} rows are invalid. Correct the file, or skip them.`,
  };
}

function viewBatch(batch: Batch, show: ShowActor): BatchView {
  const { merchantId, batchId, name, state, rows, totals, createdBy, submitter } = batch;
  return {
    merchantId,
    batchId,
    name,
    state,
    rows,
    createdBy: show(createdBy),
    submittedBy: submitter && show(submitter.actor.name),
    totals: totals.map(({ currency, rows: count, amount, fee, availableAfter }) => ({
      currency,
      rows: count,
      amount: formatAmount({ currency, minor: amount }),
      fee: formatAmount({ currency, minor: fee }),
      availableAfter: formatAmount({ currency, minor: availableAfter }),
    })),
    createdAt: instantText(batch.createdAt),
    submittedAt: instantTextOrNull(batch.submittedAt),
    endedAt: instantTextOrNull(batch.endedAt),
  };
}

function viewRow(row: ListedRow, mask: Mask): RowView {
  const { currency, amount, fee, availableAfter, accountShown, faults, warning, payout, ...same } = row;
  return {
    ...same,
    currency,
    faults: faults.map(({ field, reason }) => ({ field, detail: rowReasonText(reason), ...viewReason(reason) })),
    warning: warning && rowReasonText(warning),
    warningReason: warning && viewReason(warning),
    account: accountShown === null ? null : mask(accountShown),
    amount: amountText(currency, amount),
    fee: amountText(currency, fee),
    availableAfter: amountText(currency, availableAfter),
    payoutState: payout?.state ?? null,
    blockedReason: payout?.blockedReason ?? null,
  };
}

function amountText(currency: Currency | null, minor: bigint | null): string | null {
  return currency === null || minor === null ? null : formatAmount({ currency, minor });
}

const EXPORTED = [
  'row',
  'line',
  'state',
  'payoutId',
  'method',
  'account',
  'amount',
  'currency',
  'fee',
  'payoutState',
] as const;
const PAGE = 500;

async function* exportRows(
  { rows }: GatewayOperations['batches'],
  query: {
    readonly merchantId: string;
    readonly batchId: string;
    readonly states: readonly (typeof ROW_STATES)[number][] | null;
  },
  mask: Mask,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${csvLine([...EXPORTED, 'faults', 'warning'])}\r\n`);
  for (let after = 0; ; ) {
    const page = await rows({ ...query, after, limit: PAGE });
    const lines = page.map((row) => {
      const view = viewRow(row, mask);
      const faults = view.faults.map(({ detail }) => detail).join(' ');
      return csvLine([...EXPORTED.map((name) => String(view[name] ?? '')), faults, view.warning ?? '']);
    });
    if (lines.length > 0) yield Buffer.from(`${lines.join('\r\n')}\r\n`);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.row;
  }
}

function placeOf(cursor: string): { readonly at: number; readonly batchId: string } | undefined {
  const [at, batchId] = readCursor(cursor) ?? [];
  const isPlace =
    typeof at === 'number' && Math.abs(at) <= 8.64e15 && typeof batchId === 'string' && !batchId.includes('\0');
  return isPlace ? { at, batchId } : undefined;
}

const NOT_READY: ManageProblem = {
  code: 'rejected',
  detail: 'The batch is not ready: its check is still running, or it was already submitted or cancelled.',
};

const NOT_BASE64: ManageProblem = {
  code: 'invalid-request',
  field: '/file',
  detail: 'file must be the CSV encoded in base64.',
};
