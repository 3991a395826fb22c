/**
 * Finds credits on our account at Token.io, for payments whose own status stays undecided. Pure.
 *
 * Confirmed by Token.io's OpenAPI document of settlement accounts: the URL, `refId` (transactions whose reference contains
 * it), `transactionType`, a page of at most 200. A listed transaction has its amount, its kind, a `refId` and a description,
 * and no payment. Not confirmed: whether that `refId` is the one of the initiation or the text of the statement, so the code
 * reads both. Not confirmed: how soon a transaction is listed.
 */
import type { Money } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { type Fields, readPlainObject, textOf } from '../kit/provider-json.ts';
import { type Account, refIdOf } from './protocol.ts';
import { euroOf, listOf } from './read-fields.ts';

const MOST_LISTED = '200';

export function transactionsPath({ settlementAccount }: Account): string {
  return `/virtual-accounts/${settlementAccount}/transactions`;
}

export function transactionsQuery(reference: string, { onBehalfOf }: Account): string {
  const query = new URLSearchParams({ limit: MOST_LISTED, refId: reference, transactionType: 'CREDIT' });
  if (onBehalfOf !== '') query.set('onBehalfOfId', onBehalfOf);
  return query.toString();
}

/**
 * Returns the money credited under that reference. A payer can write any description, so a credit that also contains another
 * reference pays neither. Undefined if no readable credit is listed.
 */
export function readCredit(body: Buffer, reference: string): Money | undefined {
  const transactions = listOf(readPlainObject(body), 'transactions');
  const credit = transactions.find((transaction) => isAbout(transaction, reference));
  return euroOf(credit, 'amount');
}

function isAbout(transaction: Fields, reference: string): boolean {
  const refId = textOf(transaction, 'refId');
  const named = new Set(
    textOf(transaction, 'description')
      .split(/[^A-Za-z0-9-]+/)
      .filter(isOwnReference),
  );
  const isNamed = refId === reference || refId === refIdOf(reference) || named.has(reference);
  return (
    isNamed && [...named].every((name) => name === reference) && textOf(transaction, 'transactionType') === 'CREDIT'
  );
}
