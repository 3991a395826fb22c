/**
 * What can be asked about an order: Trustly has no question for one order, only the ledger of our account by dates. Pure.
 *
 * Confirmed by Trustly's documents: AccountLedger's fields and rows, dates `YYYY-MM-DD` of which the last is not included;
 * **it lists settled transactions only**, so it can prove that money came and never that none will. By its documents of
 * AccountLedger and of the settlement report: money that came stands on accounts named `SUSPENSE_ACCOUNT_CLIENT_FUNDS_…`,
 * fees and what goes out on others. Not confirmed: how soon a payment is listed; in which time zone the dates are (hence a
 * day on either side); that every account may use it (error 602).
 */
import { DAY_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { amountOf, asObject, type Json, textOf } from '../kit/provider-json.ts';
import type { TrustlyConfiguration } from './configuration.ts';
import { credentials } from './protocol.ts';
import type { Signed } from './signature.ts';

export const ACCOUNT_LEDGER = 'AccountLedger';
const CLIENT_FUNDS = /^SUSPENSE_ACCOUNT_CLIENT_FUNDS_/;

/** A day of a busy account. What is longer is given up, and the order stays as it was. */
export const TRUSTLY_LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

/** The rows from a day before `from` to a day after `until`. */
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

/** What came for the order, all of it together; undefined when nothing is listed, or nothing that can be read. */
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
