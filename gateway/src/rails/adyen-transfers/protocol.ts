/**
 * Writes queries about transfers, and decides what Adyen's responses prove. Pure: no network, no clock. payout-request.ts has
 * the request, vocabulary.ts the statuses and reasons, notifications.ts the webhooks.
 *
 * Confirmed by Adyen's OpenAPI description of Transfers v4: 202 for every accepted transfer, including a refused one, so only
 * `status` gives the state. 401 and 403 mean that Adyen accepted nothing, 422 with `invalidFields` that validation failed.
 * Also the shape of errors; the list's parameters, with `createdSince` and `createdUntil` at most six months apart and
 * `reference` unchanged; `_links.next` if there is another page. Confirmed by its page about idempotency: Adyen repeats the
 * first response to a request under the same key. Confirmed by its reference of balance accounts: `available`, for the
 * account's own currency and every other with a balance.
 *
 * Not confirmed: the response to a repeat while the first is in progress, or with other content (so a 422 without
 * `invalidFields` is unknown). Not confirmed: the response to too frequent queries; how long a key lives (31 days or more by
 * an older version of that page); how soon a transfer is listed. Not confirmed: that `reference` is unique. The code assumes
 * that it is not, and several open transfers prove nothing.
 */
import type { PayoutOrder, RailAnswer } from '../../domain/payouts/payout-rail.ts';
import type { Instant } from '../../foundation/clock.ts';
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type JsonObject, minorBalanceOf, objectOf, objectsOf, readObject, textOf } from '../kit/provider-json.ts';
import { declined, notAccepted, type Refused, unknown } from '../kit/rail-answers.ts';
import { declineReasonOf, isOursToMend, stateOf, type TransferState } from './vocabulary.ts';

export const TRANSFERS_PATH = '/transfers';

export interface Transfer {
  /** Adyen's own id. */
  readonly id: string;
  /** Empty if the transfer has no reference. */
  readonly reference: string;
  readonly description: string;
  readonly money: Money;
  /** Null if Adyen omits it. */
  readonly createdAt: Instant | null;
  readonly status: string;
  readonly state: TransferState | undefined;
  readonly reason: string;
  /** True if the amount was deducted from our account. A failure then returns it. */
  readonly wasBooked: boolean;
}

/** Returns true if the transfer is an outgoing payment to a card, like ours. */
export function isCardPayout(fields: JsonObject | undefined): boolean {
  return textOf(fields, 'category') === 'card' && textOf(fields, 'direction') === 'outgoing';
}

/** Returns true if the transfer has another category or direction. A transfer without these fields may still be a payout. */
function isSomethingElse(fields: JsonObject): boolean {
  const isComplete = ['category', 'direction'].every((name) => readWord(textOf(fields, name)) !== '');
  return isComplete && !isCardPayout(fields);
}

/** Returns undefined if a required field is missing. */
export function readTransfer(fields: JsonObject | undefined): Transfer | undefined {
  const id = textOf(fields, 'id');
  const money = readMoney(objectOf(fields, 'amount'));
  if (!/^[A-Za-z0-9]{1,36}$/.test(id) || !money) return undefined;
  const createdAt = Date.parse(textOf(fields, 'createdAt') || textOf(fields, 'creationDate'));
  const status = readWord(textOf(fields, 'status'));
  return {
    id,
    reference: textOf(fields, 'reference'),
    description: textOf(fields, 'description'),
    money,
    createdAt: Number.isNaN(createdAt) ? null : createdAt,
    status,
    state: stateOf(status),
    reason: readWord(textOf(fields, 'reason')),
    wasBooked: objectsOf(fields, 'events')?.some((event) => textOf(event, 'status') === 'booked') ?? false,
  };
}

/** Accepts only a code of Adyen, because the gateway keeps and shows it. */
function readWord(text: string): string {
  return /^[A-Za-z]{1,64}$/.test(text) ? text : '';
}

function readMoney(fields: JsonObject | undefined): Money | undefined {
  const currency = textOf(fields, 'currency');
  const value = textOf(fields, 'value');
  return isCurrency(currency) && /^\d{1,15}$/.test(value) ? { currency, minor: BigInt(value) } : undefined;
}

/**
 * - `unfunded`: refused for a short balance or a problem of our account. Nothing moved, and the payout may be requested again.
 * - `stopped`: cancelled before its completion, as far as Adyen reports.
 */
export type Meaning =
  | Exclude<RailAnswer, { kind: 'not_accepted' }>
  | { readonly kind: 'unfunded' | 'stopped'; readonly reason: string };

export function meaningOf({ state, status, reason, wasBooked }: Transfer): Meaning {
  const said = `Adyen reports ${status || 'an unknown status'} ${reason}`.trim();
  if (wasBooked && (state === 'refused' || state === 'stopped')) return unknown(said);
  switch (state) {
    case 'waiting':
      return { kind: 'pending' };
    case 'executed':
      return { kind: 'executed' };
    case 'returned':
      return { kind: 'reversed', reason: said };
    case 'failed':
      return wasBooked ? { kind: 'reversed', reason: said } : declined(declineReasonOf(reason), said);
    case 'refused':
      return isOursToMend(reason) ? { kind: 'unfunded', reason: said } : declined(declineReasonOf(reason), said);
    case 'stopped':
      return { kind: 'stopped', reason: said };
    default:
      return unknown(said);
  }
}

export function isAbout({ reference, money }: Transfer, order: Pick<PayoutOrder, 'reference' | 'money'>): boolean {
  const isSameMoney = money.currency === order.money.currency && money.minor === order.money.minor;
  return reference === order.reference && isSameMoney;
}

export type Submission = { readonly kind: 'accepted'; readonly transfer: Transfer } | Refused;

/** Returns the meaning of a POST's response for the order. */
export function readSubmission(status: number, body: Buffer, order: PayoutOrder): Submission {
  const fields = readObject(body);
  if (status === 202) {
    const transfer = isCardPayout(fields) ? readTransfer(fields) : undefined;
    if (!transfer) return unknown('HTTP 202 without the expected transfer');
    return isAbout(transfer, order)
      ? { kind: 'accepted', transfer }
      : unknown('Adyen’s response is about another transfer');
  }
  if (isCredentialRefused(status, body)) {
    return notAccepted(`Adyen refuses our credential (HTTP ${status}): check its API key and roles`);
  }
  const invalid = status === 422 ? invalidFieldsOf(fields) : [];
  return invalid.length === 0 ? unknown(`HTTP ${status}`) : refusalOf(invalid, order);
}

/** A proxy's 401 does not come from Adyen. */
export function isCredentialRefused(status: number, body: Buffer): boolean {
  return (status === 401 || status === 403) && textOf(readObject(body), 'status') === String(status);
}

/** Returns the names of the invalid fields. Empty if one of them is not a field name. */
function invalidFieldsOf(fields: JsonObject | undefined): readonly string[] {
  const names = objectsOf(fields, 'invalidFields')?.map((field) => textOf(field, 'name')) ?? [];
  return names.every((name) => /^[A-Za-z][A-Za-z0-9.[\]_]{0,99}$/.test(name)) ? names : [];
}

const RECIPIENT = 'counterparty.card.card';
const ADDRESS = 'counterparty.card.cardHolder.address';

/** A retry cannot correct the recipient's card, name or address. An address that the method never includes is our error. */
function refusalOf(fields: readonly string[], { beneficiary }: PayoutOrder): Submission {
  const hasAddress = 'customs_address' in beneficiary;
  const isRecipients = (field: string) => field.startsWith(RECIPIENT) && (hasAddress || !field.startsWith(ADDRESS));
  const reason = `Adyen refuses ${fields.find((field) => !isRecipients(field)) ?? fields[0]}`;
  return fields.every(isRecipients) ? declined('invalid_beneficiary', reason) : notAccepted(reason);
}

export interface TransferQuery {
  readonly balanceAccount: string;
  readonly since: Instant;
  readonly until: Instant;
  readonly reference?: string;
  /** The page's cursor. Absent for the first page. */
  readonly cursor?: string;
}

const MOST_ON_PAGE = 100;

/** Queries the newest transfers first. */
export function queryPath({ balanceAccount, since, until, reference, cursor }: TransferQuery): string {
  const query = new URLSearchParams({
    balanceAccountId: balanceAccount,
    createdSince: new Date(since).toISOString(),
    createdUntil: new Date(until).toISOString(),
    sortOrder: 'desc',
    limit: String(MOST_ON_PAGE),
    ...(reference === undefined ? {} : { reference }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  return `${TRANSFERS_PATH}?${query}`;
}

export type Page =
  | {
      readonly kind: 'page';
      /** The payouts to cards among the transfers. An unreadable one is undefined. */
      readonly payouts: readonly (Transfer | undefined)[];
      /** Null after the last page. */
      readonly nextCursor: string | null;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

export function readPage(status: number, body: Buffer): Page {
  const fields = readObject(body);
  const data = objectsOf(fields, 'data');
  if (status === 200 && data) {
    const payouts = data.filter((item) => !item || !isSomethingElse(item));
    const next = objectOf(objectOf(fields, '_links'), 'next');
    return {
      kind: 'page',
      payouts: payouts.map((item) => (isCardPayout(item) ? readTransfer(item) : undefined)),
      nextCursor: next ? cursorOf(textOf(next, 'href')) : null,
    };
  }
  return unknown(
    isCredentialRefused(status, body) ? `Adyen refuses our credential (HTTP ${status})` : `HTTP ${status}`,
  );
}

/** Reads only the cursor from the link, because our configuration defines Adyen's address. */
function cursorOf(href: string): string {
  return URL.parse(href, 'https://adyen.invalid')?.searchParams.get('cursor') ?? '';
}

export function balancesPath(balanceAccount: string): string {
  return `/balanceAccounts/${balanceAccount}`;
}

const PAID_OUT: readonly Currency[] = ['EUR', 'USD'];

/** Returns the available amount of each payout currency. An unlisted currency has no money, because Adyen lists every other. */
export function readBalances(status: number, body: Buffer, balanceAccount: string): Result<readonly Money[], string> {
  const fields = readObject(body);
  const listed = objectsOf(fields, 'balances');
  if (status !== 200 || textOf(fields, 'id') !== balanceAccount || !listed) return fail(`HTTP ${status}`);
  const read = PAID_OUT.map((currency) => {
    const own = listed.find((balance) => textOf(balance, 'currency') === currency);
    return own === undefined ? { currency, minor: 0n } : minorBalanceOf(textOf(own, 'available'), currency);
  });
  const known = read.filter((money) => money !== undefined);
  return known.length === read.length ? ok(known) : fail('Adyen lists an unreadable balance');
}
