/** Comparisons with providers: a day, the rail's lists of incoming transfers, and payouts that the caller names. */
import type {
  AnsweredPayout as AnsweredView,
  ComparedDay,
  RECONCILIATION_ENDPOINTS,
} from '../../../../contract/endpoints/reconciliation.ts';
import type { ComparedKind } from '../../../domain/differences/difference.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { AnsweredPayout, NamedPayout } from '../../../domain/reconciliation/ask-named-payouts.ts';
import type { ReconciledDay } from '../../../domain/reconciliation/reconcile-payouts.ts';
import { DAY_MS } from '../../../foundation/clock.ts';
import { isCurrency } from '../../../foundation/currency.ts';
import { formatAmount, parseAmount } from '../../../foundation/money.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { notFound } from '../problems.ts';
import { instantText } from '../views/instant-text.ts';

export function reconciliationHandlers({
  reconciliation,
}: GatewayOperations): HandlersOf<typeof RECONCILIATION_ENDPOINTS> {
  return {
    async 'reconciliation.listDays'({ query: { rail = null, from, until } }) {
      if (daysBetween(from, until) > MOST_DAYS || from > until)
        return fail({
          code: 'invalid-request',
          field: 'until',
          detail: `until must be a day from ${from} on, at most ${MOST_DAYS} days later.`,
        });
      const days = await reconciliation.days({ rail, from, until });
      return ok({ answer: { items: days.map((day) => ({ ...day, runAt: instantText(day.runAt) })) } });
    },
    async 'reconciliation.compareDay'({ params: { rail, day } }) {
      const found = await reconciliation.run(rail, day);
      if (!found) {
        const known = reconciliation.rails.join(', ') || 'none';
        const detail = `"${rail}" has no records to compare, or is not configured in this process. Rails with records: ${known}.`;
        return fail({ code: 'not-found', field: 'rail', detail });
      }
      const answer = viewDay(found);
      return ok({ answer, change: { before: null, after: { ...answer, differences: answer.differences.length } } });
    },
    async 'reconciliation.readTransfers'({ params: { rail } }) {
      const days = await reconciliation.transfers(rail);
      if (!days) {
        const detail = `"${rail}" has no lists of transfers, or is not configured in this process.`;
        return fail({ code: 'not-found', field: 'rail', detail });
      }
      const answer = {
        days: days.map(({ day, listed, found, differing }) => ({ day, listed, found, differing })),
      };
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'reconciliation.askPayouts'({ params: { rail }, body }) {
      const named = body.payouts.map(readNamed);
      const bad = named.indexOf(undefined);
      if (bad >= 0) {
        const detail = 'amount must be above zero, with the decimals of a currency of this gateway.';
        return fail({ code: 'invalid-request', field: `/payouts/${bad}/amount`, detail });
      }
      const asked = named.filter((each) => each !== undefined);
      const answers = await reconciliation.ask(rail, asked);
      if (!answers)
        return fail(notFound(`No payout rail is called "${rail}". "gateway rail list" lists the rails.`, 'rail'));
      const answer = { payouts: answers.map(viewAnswered) };
      return ok({ answer, change: { before: null, after: answer } });
    },
  };
}

/** A quarter of a year, which a calendar shows on one page. */
const MOST_DAYS = 100;

function daysBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS;
}

function readNamed(named: {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly amount: string;
  readonly currency: string;
}): NamedPayout | undefined {
  const { merchantId, payoutId, amount, currency } = named;
  const money = isCurrency(currency) ? parseAmount(amount, currency) : undefined;
  return money && { merchantId, payoutId, money };
}

/** The kinds of differences that each way of comparing cannot detect. */
const NOT_SEEN: Readonly<Record<ReconciledDay['by'], readonly ComparedKind[]>> = {
  list: [],
  asking: ['missing_here', 'duplicate'],
};

function viewDay({ reconciliation, differences, by, waiting }: ReconciledDay): ComparedDay {
  const { rail, day, runAt, listed, matched, settled } = reconciliation;
  return {
    rail,
    day,
    by,
    listed,
    matched,
    settled,
    waiting,
    runAt: instantText(runAt),
    notSeen: [...NOT_SEEN[by]],
    differences: differences.map(({ kind, subject, merchantId, payoutId, ours, theirs }) => ({
      kind,
      subject,
      merchantId,
      payoutId,
      ours,
      theirs,
    })),
  };
}

function viewAnswered({ merchantId, payoutId, money, isKept: kept, ...answered }: AnsweredPayout): AnsweredView {
  const { reference, ours, theirs, comparison } = answered;
  const { currency } = money;
  return {
    merchantId,
    payoutId,
    amount: formatAmount(money),
    currency,
    reference,
    ours,
    theirs,
    comparison,
    kept,
  };
}
