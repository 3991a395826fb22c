/**
 * Writes requests for mobile top-ups in Kazakhstan through DT One's digital value services (DVS, version 1), and reads the
 * responses about a payout. Pure: no network, no clock. refusals.ts has the failures, vocabulary.ts the states. Confirmed by
 * DT One's API description (1.23.0) and its pages: HTTP Basic. A lookup finds the operator of a number, and may be outdated
 * after the number changed its operator. `POST /async/transactions` with `auto_confirm` creates and confirms immediately. A
 * ranged product requires `calculation_mode` and the amount on that side. `external_id` has 1 to 40 characters and is ours
 * permanently. DT One rejects a second request with it without further information, and finds a transaction by it whose
 * response was lost. Each transaction has its `callback_url`. Confirmed by recordings and its own client: 201, once 200. DT
 * One does not require a recipient name for such products, and the rail sends none. Not confirmed: the products in Kazakhstan
 * (each account's price list has them, so the configuration lists them). Not confirmed: whether a missing `external_id`
 * results in an empty list or 404 (the code accepts both), and how soon DT One finds a new transaction. Not confirmed: the end
 * of a transaction that was never confirmed.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { isCurrency } from '../../foundation/currency.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { asObject, balanceOf, fieldOf, type Json, type JsonObject, textOf } from '../kit/provider-json.ts';
import {
  beneficiaryField,
  type Declined,
  declined,
  type NotAccepted,
  notAccepted,
  unknown,
} from '../kit/rail-answers.ts';
import type { DtOneConfiguration, OperatorProduct } from './configuration.ts';
import { namedAmount, type ReadTransaction, readTransaction } from './read-payout.ts';
import { meaningOf } from './vocabulary.ts';

export const TRANSACTIONS_PATH = '/async/transactions';
export const LOOKUP_PATH = '/lookup/mobile-number';
export const BALANCES_PATH = '/balances?unit_type=CURRENCY';

/** The largest page that DT One returns. */
export const PAGE_SIZE = 100;

/** Returns the number with its plus sign, which the merchants' API omits. */
function mobileNumber(order: PayoutOrder): string {
  return `+${beneficiaryField(order, 'account')}`;
}

export function writeLookUp(order: PayoutOrder): string {
  return JSON.stringify({ mobile_number: mobileNumber(order), page: 1, per_page: PAGE_SIZE });
}

/** Returns the product of the operator that DT One found. A decline if there is none, because a retry would find none either. */
export function chooseProduct(
  found: readonly Json[],
  products: readonly OperatorProduct[],
): Result<string, Declined | NotAccepted> {
  const operators = found.map((operator) => asObject(operator)).filter((operator) => operator !== undefined);
  const isReadable = operators.every((operator) => /^\d{1,18}$/.test(textOf(operator, 'id')));
  if (!isReadable || operators.length < found.length)
    return fail(notAccepted('no operator: DT One lists an unreadable operator'));
  const [only, ...others] = operators;
  const identified = operators.find((operator) => fieldOf(operator, 'identified') === true);
  const operator = identified ?? (others.length === 0 ? only : undefined);
  if (!operator) return fail(declined('invalid_beneficiary', 'DT One does not find an operator for the number'));
  const operatorId = textOf(operator, 'id');
  const product = products.find((each) => each.operatorId === operatorId);
  return product
    ? ok(product.productId)
    : fail(declined('invalid_beneficiary', 'DT_ONE_PRODUCTS has no product for the operator of the number'));
}

export function writeTransaction(
  order: PayoutOrder,
  productId: string,
  { callbackUrl }: Pick<DtOneConfiguration, 'callbackUrl'>,
): string {
  const { reference, money } = order;
  invariant(money.currency === 'KZT' && money.minor > 0n, 'amount is not a positive KZT amount');
  invariant(/^[\x21-\x7e]{1,40}$/.test(reference), 'reference is not a valid external_id');
  return JSON.stringify({
    external_id: reference,
    product_id: Number(productId),
    calculation_mode: 'DESTINATION_AMOUNT',
    // A number of at most 14 digits, which a double represents exactly.
    destination: { unit_type: 'CURRENCY', unit: money.currency, amount: Number(formatAmount(money)) },
    auto_confirm: true,
    credit_party_identifier: { mobile_number: mobileNumber(order) },
    callback_url: callbackUrl,
  });
}

/** Returns the list of transactions with the reference. */
export function transactionsOfReference(reference: string): string {
  return `/transactions?${new URLSearchParams({ external_id: reference })}`;
}

/** Returns a page of the transactions created between two instants, inclusive, at most 24 hours apart. Pages begin with 1. */
export function transactionsMade(from: string, to: string, page: number): string {
  const span = { from_date: from, to_date: to, page: String(page), per_page: String(PAGE_SIZE) };
  return `/transactions?${new URLSearchParams(span)}`;
}

/** Reads the successful response to a new transaction. */
export function readMade(order: PayoutOrder, fields: JsonObject): RailAnswer {
  const transaction = readTransaction(fields);
  return transaction ? wordOn(order, transaction) : unknown('DT One’s response does not contain a transaction');
}

/** Reads the list of transactions with the order's reference. */
export function readFound(order: PayoutOrder, items: readonly Json[]): RailStatus {
  const [item, ...others] = items;
  if (item === undefined) return { kind: 'not_found' };
  if (others.length > 0) return unknown('DT One lists several transactions under one external_id');
  const transaction = readTransaction(asObject(item));
  return transaction ? wordOn(order, transaction) : unknown('DT One lists an entry that is not a transaction');
}

function wordOn(
  { reference, money }: PayoutOrder,
  transaction: ReadTransaction,
): Exclude<RailAnswer, { kind: 'not_accepted' }> {
  const { requested, status } = transaction;
  const isOurs = transaction.reference === reference && (requested === null || requested?.minor === money.minor);
  if (!isOurs) return unknown('DT One’s response is about another transaction');
  const word = meaningOf(status) ?? unknown(`DT One reports class ${status.classId}`);
  const isProved = word.kind !== 'executed' || namedAmount(transaction)?.minor === money.minor;
  return isProved ? word : unknown('DT One reports a different amount');
}

/** Returns the available amount of each account in a currency that we know. */
export function readBalances(items: readonly Json[]): Result<readonly Money[], string> {
  const balances = items.map((item) => readBalance(asObject(item)));
  const unreadable = balances.some((balance) => balance === undefined);
  return unreadable
    ? fail('DT One’s response contains an unreadable balance')
    : ok(balances.filter((balance) => balance !== undefined && balance !== null));
}

/** Returns null for a currency that we do not know. */
function readBalance(balance: JsonObject | undefined): Money | null | undefined {
  const currency = textOf(balance, 'unit');
  if (!isCurrency(currency)) return currency === '' ? undefined : null;
  return balanceOf(textOf(balance, 'available'), currency);
}
