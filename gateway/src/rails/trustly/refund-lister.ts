/**
 * Lists our refunds of a day from Trustly's report of an automatic settlement, because Trustly has no query for a refund that
 * may be used daily.
 *
 * Confirmed by Trustly's documents: a daily settlement is made within twelve hours after midnight UTC, with all transactions
 * up to that midnight; ViewAutomaticSettlementDetailsCSV takes its date; version 1.2 of the report has `externalreference`,
 * which a Refund sets. Confirmed by a recorded response and a public client's tests: the columns; a refund's row is on
 * BANK_WITHDRAWAL_QUEUED, with a negative amount. Its fee has a row of its own. Confirmed by Trustly's documents of
 * GetWithdrawals: it reports a refund, and must not be used regularly. Not confirmed: the response for a date without a
 * settlement (an error here fails the comparison); the row of a refund that the payer's bank returned (a positive amount
 * here).
 */
import type { ListedPayout, PayoutList, RefundLister } from '../../domain/payouts/payout-lister.ts';
import { type Clock, DAY_MS, HOUR_MS, utcDayOf } from '../../foundation/clock.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { readReport } from '../kit/csv-report.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, asObject, type Json, shownText, textOf } from '../kit/provider-json.ts';
import type { Call } from './api.ts';
import { TRUSTLY, type TrustlyConfiguration } from './configuration.ts';
import { uuidOf } from './json-rpc.ts';
import { credentials } from './protocol.ts';

const SETTLEMENT = 'ViewAutomaticSettlementDetailsCSV';
const SETTLED_WITHIN_MS = 12 * HOUR_MS;
const COLUMNS = ['accountname', 'currency', 'amount', 'orderid', 'ordertype', 'externalreference'] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

export function createTrustlyRefundLister(
  account: Pick<TrustlyConfiguration, 'username' | 'password'>,
  call: Call,
  clock: Clock,
): RefundLister {
  return {
    rail: TRUSTLY,
    dayOf: utcDayOf,
    // The next settlement is also needed: it contains the transactions of a day whose own settlement was postponed.
    comparedAfterMs: DAY_MS + SETTLED_WITHIN_MS,
    async payoutsOf(day, signal) {
      const SettlementDate = utcDayOf(Date.parse(day) + DAY_MS);
      const data = { ...credentials(account), Currency: 'EUR', SettlementDate, Attributes: { APIVersion: '1.2' } };
      // Each call uses a new UUID, because Trustly would otherwise repeat the old response.
      const uuid = uuidOf(SETTLEMENT, `${day} ${clock.now()}`);
      const answer = await call({ method: SETTLEMENT, uuid, data }, untilAborted(signal));
      if (answer.kind === 'error') throw new ListIncomplete(`Trustly returned ${answer.code}: ${answer.message}`);
      if (answer.kind !== 'result') throw new ListIncomplete(answer.reason);
      const list = readSettlement(answer.data);
      if (!list.ok) throw new ListIncomplete(list.error);
      return list.value;
    },
  };
}

export function readSettlement(answered: Json): Result<PayoutList, string> {
  const report = readReport(textOf(asObject(answered), 'view_automatic_settlement_details'), COLUMNS);
  if (!report.ok) return fail(report.error);
  const rows = report.value.filter(({ accountname, ordertype }) => ordertype === 'Refund' && accountname === WITHDRAWN);
  const read = rows.map((row) => refundIn(row) ?? `refund of order ${shownText(row.orderid, 20)} without an amount`);
  return ok({
    payouts: read.filter((each) => typeof each !== 'string'),
    unreadable: read.filter((each) => typeof each === 'string'),
  });
}

const WITHDRAWN = 'BANK_WITHDRAWAL_QUEUED';

/**
 * Returns the refund in a row. Someone may have made a refund at Trustly itself: it has no reference of ours, and only this
 * list reports it.
 */
function refundIn({ amount, currency, orderid, externalreference }: Row): ListedPayout | undefined {
  const money = currency === 'EUR' ? amountOf(amount.replace(/^-/, ''), 'EUR') : undefined;
  const reference = isOwnReference(externalreference) ? externalreference : null;
  const state = amount.startsWith('-') ? 'executed' : 'reversed';
  return money && { reference, providerId: orderid, money, state };
}
