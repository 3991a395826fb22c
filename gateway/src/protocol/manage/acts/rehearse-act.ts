/**
 * Dry runs: an action runs as usual, and the gateway rolls it back. The response contains what it would change, but no secret.
 */
import type { Endpoint } from '../../../../contract/parts/endpoint.ts';
import type { Rehearsal } from '../../../../contract/parts/rehearsals.ts';
import type { PostedTransfer } from '../../../domain/ledger/transfer.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { formatAmount } from '../../../foundation/money.ts';
import type { Result } from '../../../foundation/result.ts';
import type { Answered, Handler, ManageRequest } from '../handler.ts';
import { type ManageProblem, problemBody } from '../problems.ts';
import { viewBalance } from '../views/ledger-views.ts';
import type { ActTransaction, RunInTransaction } from './act-transaction.ts';

/** An action with the request that performs it. */
export interface RequestedAct {
  readonly name: keyof ActTransaction['handlers'];
  readonly endpoint: Endpoint;
  readonly request: ManageRequest<Endpoint>;
}

/** `dryRun` requests a dry run, and is not part of the action. */
export function isRehearsal({ rehearsal }: Endpoint, query: unknown): boolean {
  return rehearsal !== undefined && (query as { readonly dryRun?: boolean }).dryRun === true;
}

export function rehearseAct(run: RunInTransaction, requested: RequestedAct): Promise<Rehearsal> {
  return run(async (act) => {
    const { result } = await performInside(act, requested);
    return { keep: false, value: await describeEffects(act, requested.endpoint, result) };
  });
}

export async function performInside({ handlers }: ActTransaction, { name, request }: RequestedAct) {
  const { dryRun: _, ...query } = request.query as { readonly dryRun?: boolean };
  const handler = handlers[name] as unknown as Handler<Endpoint>;
  const done = await handler({ ...request, query });
  invariant(!done.ok || !('file' in done.value), 'action returned a file');
  return { result: done as Result<Answered<unknown>, ManageProblem> };
}

export async function describeEffects(
  act: Pick<ActTransaction, 'posted' | 'balances'>,
  { rehearsal, approval }: Pick<Endpoint, 'rehearsal' | 'approval'>,
  result: Result<Answered<unknown>, ManageProblem>,
): Promise<Rehearsal> {
  if (!result.ok) {
    const { requestId: _, ...problem } = problemBody(result.error, '');
    return { possible: false, problem, postings: [], balances: [], change: null };
  }
  const posted = await act.posted();
  const { change } = result.value;
  return {
    possible: true,
    problem: null,
    postings: posted.map(viewPosting),
    balances: await balancesAfter(act, posted),
    change:
      (rehearsal === 'rule' || approval) && change
        ? { before: change.before ?? null, after: change.after ?? null }
        : null,
  };
}

function viewPosting({ merchantId, kind, debit, credit, amount, currency }: PostedTransfer) {
  return { merchantId, kind, debit, credit, amount: formatAmount({ currency, minor: amount }), currency };
}

async function balancesAfter({ balances }: Pick<ActTransaction, 'balances'>, posted: readonly PostedTransfer[]) {
  const views: Rehearsal['balances'] = [];
  for (const merchantId of new Set(posted.map((transfer) => transfer.merchantId))) {
    const touched = new Set(posted.filter((each) => each.merchantId === merchantId).map(({ currency }) => currency));
    for (const [currency, each] of await balances(merchantId))
      if (touched.has(currency)) views.push({ merchantId, ...viewBalance(currency, each) });
  }
  return views;
}
