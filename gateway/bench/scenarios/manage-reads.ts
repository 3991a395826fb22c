/** The reads of the portal and of the management API, as the operations behind their endpoints. */
import { EVENT_OBJECTS, FIRST_PLACE } from '../../src/domain/events/event-store.ts';
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import type { ListName, ListQuery } from '../../src/domain/lists/list-store.ts';
import type { StatementFormat } from '../../src/domain/statements/statement-seal.ts';
import { DAY_MS } from '../../src/foundation/clock.ts';

/** A payout that a read queries. */
export interface Sample {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly transactionId: number;
  readonly rail: string;
  readonly account: string;
  readonly reference: string;
  readonly acceptedAt: number;
}

type Call = (operations: GatewayOperations, sample: Sample) => Promise<unknown>;

const list =
  (name: ListName, change: (sample: Sample) => Partial<ListQuery> = () => ({})): Call =>
  ({ lists }, sample) =>
    lists[name]({ merchantId: null, from: null, to: null, after: null, limit: 100, filters: {}, ...change(sample) });

const own = (name: ListName, filters: (sample: Sample) => ListQuery['filters'] = () => ({})): Call =>
  list(name, (sample) => ({ merchantId: sample.merchantId, filters: filters(sample) }));

const payouts = (change: (sample: Sample) => Partial<ListQuery>) => list('payouts', change);

const find =
  (text: (sample: Sample) => string, isOfMerchant = false): Call =>
  (operations, sample) =>
    operations.lists.find({
      text: text(sample),
      merchantId: isOfMerchant ? sample.merchantId : null,
      lists: ['payouts', 'deposits', 'payments', 'transfers'],
    });

/** Reads the statement to its end, as a client does. */
function statementOf(format: StatementFormat): Call {
  return async ({ statements }, { merchantId, acceptedAt }) => {
    const from = Math.floor(acceptedAt / DAY_MS) * DAY_MS - DAY_MS;
    const order = { merchantId, currency: 'UAH', from, until: from + DAY_MS } as const;
    const written = await statements.write(order, format);
    if (!written.ok) throw new Error(`no statement: ${written.error}`);
    for await (const _ of written.value.pieces);
  };
}

const dayOf = ({ acceptedAt }: Sample) => new Date(acceptedAt).toISOString().slice(0, 10);
const dayAround = ({ acceptedAt }: Sample) => {
  const from = Math.floor(acceptedAt / DAY_MS) * DAY_MS;
  return { from, to: from + DAY_MS };
};
const placeOf = ({ acceptedAt, transactionId }: Sample) => ({ at: acceptedAt, key: [transactionId] });

/** The target of each is 50 ms. */
export const READS: Readonly<Record<string, Call>> = {
  'list, all merchants': payouts(() => ({})),
  'list, from the middle': payouts((sample) => ({ after: placeOf(sample) })),
  'list, a day': payouts(dayAround),
  'list, an amount of a day': payouts((sample) => ({
    ...dayAround(sample),
    filters: { minAmount: 7n, maxAmount: 7n },
  })),
  'list, a state that nothing has': payouts(() => ({ filters: { state: 'blocked' } })),
  'list, pending': payouts(() => ({ filters: { state: 'pending' } })),
  'list, the last four digits that nothing has': payouts(() => ({ filters: { lastFour: 'none' } })),
  'list, an account': payouts(({ account }) => ({ filters: { account } })),
  'list, one merchant': own('payouts'),
  'list, one merchant, from the middle': payouts((sample) => ({
    merchantId: sample.merchantId,
    after: placeOf(sample),
  })),
  'list, one merchant, a day': payouts((sample) => ({ ...dayAround(sample), merchantId: sample.merchantId })),
  'list, one merchant, a state that nothing has': own('payouts', () => ({ state: 'blocked' })),
  'list, one merchant, a rail that nothing has': own('payouts', () => ({ rail: 'none' })),
  'list, one merchant, an account': own('payouts', ({ account }) => ({ account })),
  'list callbacks, all merchants': list('callbacks'),
  'list callbacks, undelivered': list('callbacks', () => ({ filters: { state: 'undelivered' } })),
  'list callbacks, one merchant': own('callbacks'),
  'list callbacks of one payout': own('callbacks', ({ payoutId }) => ({ subjectId: payoutId })),
  'list callbacks of one payout, all merchants': list('callbacks', ({ payoutId }) => ({
    filters: { subjectId: payoutId },
  })),
  'list the ledger, one merchant': own('ledger'),
  'list the ledger, one account of all merchants': list('ledger', () => ({ filters: { account: 'available' } })),
  'list refunds': list('refunds'),
  'list deposits, where there are none': list('deposits'),
  'list payments, where there are none': list('payments'),
  'list transfers, where there are none': list('transfers'),
  'list requests, one merchant': own('requests'),
  'list held money': ({ deposits }) => deposits.held(100),
  'list overdue payouts': (operations) => operations.payouts.overdue(100),
  'list late payouts': (operations) => operations.payouts.late(null, 10),
  'list payouts that await approval': (operations) =>
    operations.payouts.awaiting({ merchantId: null, after: null, limit: 100 }),
  'list batches': ({ batches }, { merchantId }) => batches.list(merchantId, null, 100),
  'list the audit log': ({ audit }) =>
    audit.list({
      merchantId: null,
      act: null,
      object: null,
      actor: null,
      from: null,
      to: null,
      before: null,
      limit: 100,
    }),
  'list proposals': ({ proposals }, { merchantId }) =>
    proposals.list({ team: merchantId, maker: null, openAt: null, before: null, limit: 100 }),
  'list differences': ({ differences }) => differences.list({ rail: null, day: null, kind: null, openOnly: true }),
  'find a transaction': find(({ transactionId }) => `Transaction number ${transactionId}`),
  'find a merchant’s id': find(({ payoutId }) => payoutId),
  'find a merchant’s id, as the merchant': find(({ payoutId }) => payoutId, true),
  'find a bank’s reference': find(({ reference }) => reference),
  'find an amount of a day': find((sample) => `10.00 ${dayOf(sample)}`),
  'find the last four digits that nothing has': find(() => '0000'),
  'find what nobody has': find(({ payoutId }) => `${payoutId}-none`),
  'events of one merchant': ({ events }, { merchantId }) =>
    events.read({ merchantId, objects: EVENT_OBJECTS, after: FIRST_PLACE, limit: 100 }),
  'balances of one merchant at a time': ({ ledger }, { merchantId, acceptedAt }) =>
    ledger.balancesAt(merchantId, acceptedAt),
  'the trial balance at a time': ({ ledger }, { acceptedAt }) => ledger.trialBalance(acceptedAt),
  'the pace of a rail': ({ monitoring }, { rail }) => monitoring.pace('payout', rail),
  'show a payout': (operations, { merchantId, payoutId }) => operations.payouts.find({ merchantId, payoutId }),
  'show a journal': ({ ledger }, { merchantId, payoutId }) => ledger.journal(merchantId, `payout/${payoutId}/execute`),
};

/** Charts, which add up the hours of the period. */
export const CHARTS: Readonly<Record<string, Call>> = {
  'volumes of 30 days, one merchant': ({ ledger }, { merchantId, acceptedAt }) =>
    ledger.volumes({ merchantId, from: acceptedAt - 30 * DAY_MS, until: acceptedAt, grain: 'day' }),
  'volumes of 30 days, all merchants': ({ ledger }, { acceptedAt }) =>
    ledger.volumes({ merchantId: null, from: acceptedAt - 30 * DAY_MS, until: acceptedAt, grain: 'day' }),
};

/** The target of each is 2 s. */
export const STATEMENTS: Readonly<Record<string, Call>> = {
  'statement of a day, CSV': statementOf('csv'),
  'statement of a day, JSON': statementOf('json'),
  'statement of a day, XLSX': statementOf('xlsx'),
  'statement of a day, PDF': statementOf('pdf'),
};
