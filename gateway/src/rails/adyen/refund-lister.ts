/**
 * Lists our refunds of a day from Adyen's Payments accounting report, because Adyen has no query for a refund.
 *
 * Confirmed by Adyen's documents: the report is generated each morning for the day before, in the account's time zone;
 * a report user downloads it with Basic authentication; its columns; `Modification Merchant Reference` is a column that
 * a user must add. Confirmed by public clients: the address, with the day in the name of the file. Confirmed by
 * Adyen's documents of the payment's life: SentForRefund comes before Refunded, and RefundedReversed and RefundFailed
 * undo them. Not confirmed: the sign of an amount.
 */
import type { ListedPayout, PayoutList, RefundLister } from '../../domain/payouts/payout-lister.ts';
import { DAY_MS, HOUR_MS, utcDayOf } from '../../foundation/clock.ts';
import { isCurrency } from '../../foundation/currency.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import { readReport } from '../kit/csv-report.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import type { ProviderHttp } from '../kit/provider-http.ts';
import { amountOf, shownText } from '../kit/provider-json.ts';
import { ADYEN, type AdyenConfiguration, type AdyenReports } from './configuration.ts';
import { readMerchantReference } from './payment-request.ts';

/** Enough for some hundred thousand rows. A longer report is an error. */
export const ADYEN_LARGEST_REPORT_BYTES = 128 * 1024 * 1024;
/** Adyen generates the report until 10:00 of the next day, in Central European time at the earliest. */
const REPORTED_WITHIN_MS = 10 * HOUR_MS;

const COLUMNS = [
  'Merchant Account',
  'Record Type',
  'Main Currency',
  'Main Amount',
  'Modification Psp Reference',
  'Modification Merchant Reference',
] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

const STATES: ReadonlyMap<string, ListedPayout['state']> = new Map([
  ['SentForRefund', 'executed'],
  ['Refunded', 'executed'],
  ['RefundedExternally', 'executed'],
  ['RefundedReversed', 'reversed'],
  ['RefundFailed', 'reversed'],
]);

export function createAdyenRefundLister(
  { merchantAccount }: Pick<AdyenConfiguration, 'merchantAccount'>,
  { user, password }: Omit<AdyenReports, 'url'>,
  http: Pick<ProviderHttp, 'exchange'>,
): RefundLister {
  const headers = { authorization: basicAuthorization(user, password) };
  return {
    rail: ADYEN,
    dayOf: utcDayOf,
    // The next day's report is also needed: it contains the refunds of a late hour in the account's time zone.
    comparedAfterMs: DAY_MS + REPORTED_WITHIN_MS,
    async payoutsOf(day, signal) {
      const file = `payments_accounting_report_${day.replaceAll('-', '_')}.csv`;
      const path = `/reports/download/MerchantAccount/${merchantAccount}/${file}`;
      const reply = await http.exchange({ verb: 'GET', path, headers }, untilAborted(signal));
      if (reply.kind !== 'answered') throw new ListIncomplete(reply.reason);
      if (reply.status !== 200) throw new ListIncomplete(`HTTP ${reply.status} for ${file}`);
      const list = readRefunds(reply.body, merchantAccount);
      if (!list.ok) throw new ListIncomplete(list.error);
      return list.value;
    },
  };
}

/**
 * Returns one entry per refund, by Adyen's own id, because the report contains a row for each of its steps. Omits refunds that
 * someone made at Adyen: a webhook reports such a refund as an adjustment of its payment.
 */
export function readRefunds(report: Buffer, merchantAccount: string): Result<PayoutList, string> {
  const rows = readReport(report, COLUMNS);
  if (!rows.ok) return fail(rows.error);
  const refunds = new Map<string, ListedPayout>();
  const unreadable: string[] = [];
  for (const row of rows.value) {
    const state = STATES.get(row['Record Type']);
    const { refund: reference = '' } = readMerchantReference(row['Modification Merchant Reference']) ?? {};
    if (row['Merchant Account'] !== merchantAccount || !state || reference === '') continue;
    const providerId = shownText(row['Modification Psp Reference'], 32);
    const money = moneyIn(row);
    if (!money) unreadable.push(`refund ${providerId} without a readable amount`);
    else if (refunds.get(providerId)?.state !== 'reversed')
      refunds.set(providerId, { reference, providerId, money, state });
  }
  return ok({ payouts: [...refunds.values()], unreadable });
}

function moneyIn({ 'Main Currency': currency, 'Main Amount': amount }: Row): Money | undefined {
  return isCurrency(currency) ? amountOf(amount.replace(/^-/, ''), currency) : undefined;
}
