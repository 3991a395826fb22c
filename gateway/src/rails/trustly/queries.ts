/**
 * Queries our account's ledger at Trustly by dates, because Trustly has no query for one order. Pure.
 *
 * Confirmed by Trustly's documents: AccountLedger's fields and rows, dates `YYYY-MM-DD` with an exclusive end. **It
 * lists settled transactions only**, so it can prove that money arrived, and never that none will. Confirmed by its
 * documents of AccountLedger and of the settlement report: received money is on accounts named
 * `SUSPENSE_ACCOUNT_CLIENT_FUNDS_…`; fees and outgoing money are on others. Not confirmed: how soon a payment is
 * listed; the time zone of the dates (hence one more day on either side); that every account may use the query (error
 * 602).
 */
import { DAY_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { amountOf, asObject, type Json, textOf } from '../kit/provider-json.ts';
import type { TrustlyConfiguration } from './configuration.ts';
import { credentials } from './protocol.ts';
import type { Signed } from './signature.ts';

export const ACCOUNT_LEDGER = 'AccountLedger';
const CLIENT_FUNDS = /^SUSPENSE_ACCOUNT_CLIENT_FUNDS_/;

/** Enough for a day of a busy account. A longer response is discarded, and the order's state stays unchanged. */
export const TRUSTLY_LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

/** Returns the rows from a day before `from` to a day after `until`. */
export function ledgerCall(
  account: Pick<TrustlyConfiguration, 'username' | 'password'>,
  uuid: string,
  from: Instant,
  until: Instant,
): Signed {
  const FromDate = utcDayOf(from - DAY_MS);
  const ToDate = utcDayOf(until + 2 * DAY_MS);
  return { method: ACCOUNT_LEDGER, uuid, data: { ...credentials(account), FromDate, ToDate, Currency: 'EUR' } };
}

/** Returns the sum of the order's credits. Undefined if no readable one is listed. */
export function readFunds(answered: Json, orderId: string, messageId: string): Money | undefined {
  const rows = Array.isArray(answered) ? answered : [];
  const funds = rows.flatMap((value: Json) => {
    const row = asObject(value) ?? {};
    const isOurs =
      textOf(row, 'orderid') === orderId &&
      textOf(row, 'messageid') === messageId &&
      textOf(row, 'currency') === 'EUR' &&
      CLIENT_FUNDS.test(textOf(row, 'accountname'));
    return isOurs ? (amountOf(textOf(row, 'amount'), 'EUR') ?? []) : [];
  });
  const minor = funds.reduce((sum, money) => sum + money.minor, 0n);
  return minor > 0n ? { currency: 'EUR', minor } : undefined;
}
