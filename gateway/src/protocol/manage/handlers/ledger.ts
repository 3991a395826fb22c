/** The past of the ledger: balances at any time, and volumes. */

import type { LEDGER_ENDPOINTS, TrialBalance as TrialBalanceView } from '../../../../contract/endpoints/ledger.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { TrialBalance } from '../../../domain/ledger/ledger-store.ts';
import { type Balances, balanceOf } from '../../../domain/ledger/transfer.ts';
import { type DebitAndCredit, totalTrialBalance } from '../../../domain/ledger/trial-balance.ts';
import { LONGEST_RANGE_MS, WAIT_BUCKETS_MS } from '../../../domain/ledger/volume.ts';
import { endedWithin } from '../../../domain/monitoring/pace.ts';
import { DAY_MS, type Instant } from '../../../foundation/clock.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { notFound } from '../problems.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';
import { viewBalance, viewLedgerLine } from '../views/ledger-views.ts';
import { merchantProblem } from './merchants.ts';

export function ledgerHandlers(
  { ledger }: Pick<GatewayOperations, 'ledger'>,
  now: () => Instant,
): HandlersOf<typeof LEDGER_ENDPOINTS> {
  return {
    async 'balances.show'({ params: { merchantId }, query }) {
      const at = query.at === undefined ? now() : Date.parse(query.at);
      const found = await ledger.balancesAt(merchantId, at);
      if (!found) return fail(merchantProblem({ kind: 'merchant_not_found' }));
      const balances = [...found.balances].map(([currency, held]) => viewBalanceAt(currency, held));
      const closedUntil = closedText(found.closedUntil);
      return ok({
        answer: { merchantId, at: instantText(at), closedUntil, isFinal: at <= found.closedUntil, balances },
      });
    },
    async 'balances.history'({ params: { merchantId }, query: { days = 30 } }) {
      const today = Math.floor(now() / DAY_MS) * DAY_MS;
      const points = Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS);
      const found = await ledger.balanceHistory(merchantId, points);
      if (!found) return fail(merchantProblem({ kind: 'merchant_not_found' }));
      const items = found.points.flatMap(({ at, balances }) =>
        [...balances].map(([currency, held]) => ({ at: instantText(at), ...viewBalanceAt(currency, held) })),
      );
      return ok({ answer: { closedUntil: closedText(found.closedUntil), items } });
    },
    async 'ledger.trialBalance'({ query }) {
      const at = query.at === undefined ? now() : Date.parse(query.at);
      return ok({ answer: viewTrialBalance(at, await ledger.trialBalance(at)) });
    },
    async 'ledger.show'({ params: { merchantId, journalId } }) {
      const found = await ledger.journal(merchantId, journalId);
      if (!found)
        return fail(notFound('The merchant has no journal with this id. "gateway ledger list" lists the journals.'));
      const { lines, ...payment } = found;
      return ok({ answer: { merchantId, journal: journalId, ...payment, lines: lines.map(viewLedgerLine) } });
    },
    async 'volumes.list'({ query }) {
      const { merchantId = null, by = 'day' } = query;
      const until = query.until === undefined ? now() : Date.parse(query.until);
      const from = query.from === undefined ? until - DEFAULT_RANGE_MS : Date.parse(query.from);
      if (until <= from || until - from > LONGEST_RANGE_MS[by])
        return fail({
          code: 'invalid-request',
          field: 'until',
          detail: `until must be after from, by at most ${LONGEST_RANGE_MS[by] / DAY_MS} days per ${by}.`,
        });
      const { closedUntil, volumes } = await ledger.volumes({ merchantId, from, until, grain: by });
      const items = volumes.map(({ start, amount, fee, waits, currency, ...volume }) => ({
        ...volume,
        start: instantText(start),
        currency,
        waits: [...waits],
        halfMs: endedWithin(waits, 0.5),
        mostMs: endedWithin(waits, 0.95),
        amount: formatAmount({ currency, minor: amount }),
        fee: formatAmount({ currency, minor: fee }),
      }));
      return ok({ answer: { closedUntil: closedText(closedUntil), waitBucketsMs: [...WAIT_BUCKETS_MS], items } });
    },
  };
}

function viewBalanceAt(currency: Currency, held: Balances) {
  const total = balanceOf(held, 'available') + balanceOf(held, 'reserved') + balanceOf(held, 'owed');
  return { ...viewBalance(currency, held), total: formatAmount({ currency, minor: total }) };
}

function viewTrialBalance(at: Instant, { lines, closedUntil }: TrialBalance): TrialBalanceView {
  const { entries, totals, isBalanced } = totalTrialBalance(lines);
  const view = <Entry extends DebitAndCredit & { readonly currency: Currency }>(entry: Entry) => ({
    ...entry,
    debit: formatAmount({ currency: entry.currency, minor: entry.debit }),
    credit: formatAmount({ currency: entry.currency, minor: entry.credit }),
  });
  return {
    at: instantText(at),
    closedUntil: closedText(closedUntil),
    isFinal: at <= closedUntil,
    isBalanced,
    items: entries.map(view),
    totals: totals.map(view),
  };
}

const DEFAULT_RANGE_MS = 30 * DAY_MS;

function closedText(closedUntil: Instant): string | null {
  return instantTextOrNull(Number.isFinite(closedUntil) ? closedUntil : null);
}
