/**
 * Writes and reads WayForPay's other queries: its list of a period (TRANSACTION_LIST) and our balance. Pure.
 *
 * Confirmed by WayForPay's pages: URLs, fields and signatures of the two requests, times in seconds; the fields of a row; the
 * balance as `balance_UAH`, its reasonCode as a string. Confirmed by its own SDK: the types of a customer's transactions.
 * Neither response is signed, so only TLS authenticates them.
 *
 * Not confirmed: the type of payouts in the list, so the code accepts every row that is not a customer's. Not confirmed: which
 * of a row's times selects it, and whether the end is inclusive, so the query has both midnights. Not confirmed: how long a
 * list may get before it is cut (there is no sign of pages). Not confirmed: whether the balance is available for payouts at
 * this moment.
 */
import type { ListedPayout, PayoutList } from '../../domain/payouts/payout-lister.ts';
import { DAY_MS, SECOND_MS } from '../../foundation/clock.ts';
import { isCurrency } from '../../foundation/currency.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, balanceOf, type JsonObject, objectsOf, readObject, textOf } from '../kit/provider-json.ts';
import type { WayForPayAccount } from './configuration.ts';
import { SIGNED, writeSigned } from './signature.ts';
import { DONE, stateOf, type WayForPayState } from './vocabulary.ts';

export const BALANCE_PATH = '/mms/merchantBalance.php';

/** `day` is `YYYY-MM-DD` in UTC. */
export function writeListQuery(day: string, { merchantAccount, secretKey }: WayForPayAccount): string {
  const begin = Date.parse(`${day}T00:00:00Z`);
  const fields = {
    transactionType: 'TRANSACTION_LIST',
    merchantAccount,
    dateBegin: String(begin / SECOND_MS),
    dateEnd: String((begin + DAY_MS) / SECOND_MS),
    apiVersion: '1',
  };
  return writeSigned(fields, SIGNED.TRANSACTION_LIST, secretKey);
}

export function writeBalanceQuery({ merchantAccount, secretKey }: WayForPayAccount): string {
  return writeSigned({ merchantAccount }, SIGNED.BALANCE, secretKey);
}

const CUSTOMERS: ReadonlySet<string> = new Set(['PURCHASE', 'CHARGE', 'AUTH', 'SETTLE', 'REFUND', 'VERIFY']);

const LISTED_AS: Readonly<Record<WayForPayState, ListedPayout['state']>> = {
  executed: 'executed',
  declined: 'declined',
  expired: 'declined',
  reversed: 'reversed',
  pending: 'pending',
};

/** Reads the list, or throws if WayForPay returned none. Unreadable rows are reported as such. */
export function readList(status: number, body: Buffer): Result<PayoutList, string> {
  const answer = readDone(status, body);
  if (!answer.ok) return answer;
  const rows = objectsOf(answer.value, 'transactionList');
  if (!rows) return fail('the response does not contain a list');
  const payouts: ListedPayout[] = [];
  const unreadable: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (row && !isPayout(row)) continue;
    const listed = row && readRow(row);
    if (listed) payouts.push(listed);
    else unreadable.push(`row ${at + 1} of WayForPay’s list`);
  }
  return ok({ payouts, unreadable });
}

function isPayout(row: JsonObject): boolean {
  return isOwnReference(textOf(row, 'orderReference')) || !CUSTOMERS.has(textOf(row, 'transactionType'));
}

/** WayForPay has no own id of an order. */
function readRow(row: JsonObject): ListedPayout | undefined {
  const orderReference = textOf(row, 'orderReference');
  const currency = textOf(row, 'currency');
  const money = isCurrency(currency) ? amountOf(textOf(row, 'amount'), currency) : undefined;
  const state = stateOf(textOf(row, 'transactionStatus'));
  if (!money || !state || !/^[\x21-\x7e]{0,64}$/.test(orderReference)) return undefined;
  const reference = orderReference === '' ? null : orderReference;
  return { reference, providerId: orderReference, money, state: LISTED_AS[state] };
}

/** Reads each `balance_XXX` in a currency of ours. */
export function readBalance(status: number, body: Buffer): Result<readonly Money[], string> {
  const answer = readDone(status, body);
  if (!answer.ok) return answer;
  const balances = Object.keys(answer.value).flatMap((name) => {
    const currency = /^balance_([A-Z]{3})$/.exec(name)?.[1] ?? '';
    return isCurrency(currency) ? [balanceOf(textOf(answer.value, name), currency)] : [];
  });
  const readable = balances.filter((balance) => balance !== undefined);
  return readable.length > 0 && readable.length === balances.length
    ? ok(readable)
    : fail('the response does not contain a readable balance');
}

function readDone(status: number, body: Buffer): Result<JsonObject, string> {
  if (status !== 200) return fail(`HTTP ${status}`);
  const fields = readObject(body);
  const reasonCode = textOf(fields, 'reasonCode');
  if (!fields || !/^\d{4}$/.test(reasonCode)) return fail('the response does not come from WayForPay');
  return reasonCode === DONE ? ok(fields) : fail(`WayForPay reports ${reasonCode}`);
}
