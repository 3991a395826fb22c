/**
 * What came to our account at Token.io, asked for where the payment's own status says nothing any more. Pure.
 *
 * Confirmed by Token.io's OpenAPI document of settlement accounts: the address, `refId` (transactions whose reference holds
 * it), `transactionType`, a page of at most 200; a listed transaction has its amount, its kind, a `refId` and a description,
 * and names no payment. Not confirmed: whether `refId` there is what the payment was initiated with or what the statement
 * shows, so both are looked at; how soon a transaction is listed.
 */
import type { Money } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { type Fields, readPlainObject, textOf } from '../kit/provider-json.ts';
import { type Account, refIdOf } from './protocol.ts';
import { euroOf, listOf } from './read-json.ts';

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
 * The money that came under that reference. A payer may write into the description whatever they like, so a credit that names
 * another reference as well pays neither; undefined where none is listed, or nothing that can be read.
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
