/**
 * Writes payouts to Indian bank accounts through RazorpayX, and reads the responses. Pure: no network, no clock.
 * authentication.ts has our credentials, refusals.ts the rejections, vocabulary.ts the statuses.
 *  Confirmed by RazorpayX's pages: a payout that contains its beneficiary (`POST /payouts` with `fund_account`), its fields,
 *  the required ones and their allowed contents. HTTP 200 for every success, including `failed` payouts.
 *  `X-Payout-Idempotency` has 4 to 36 letters, digits and hyphens and is valid for 7 days: under it, RazorpayX does not
 *  create a second payout for the same body, and rejects another body. `reference_id` finds a payout in the list, and an
 *  empty list does not prove anything within an hour. With `queue_if_low_balance`, a payout waits for money instead of
 *  failing. IMPS pays immediately, up to five lakh rupees; NEFT pays within hours. RazorpayX requires the beneficiary's name
 *  (3 or 4 to 120 characters, its pages differ) and the contact's (3 to 50), both of Latin letters, digits and a few signs.
 *  The rail declines a payout without such a name, because a retry could not correct it.
 *  Not confirmed: the effect of a key after 7 days. Nothing depends on it, because the gateway repeats a payout only after
 *  proof that RazorpayX took no earlier request. Not confirmed: whether `reference_id` must be unique, so the code reads two
 *  payouts under one reference together.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type JsonObject, minorBalanceOf, textOf } from '../kit/provider-json.ts';
import { beneficiaryField, type Declined, declined, unknown } from '../kit/rail-answers.ts';
import type { RazorpayXConfiguration } from './configuration.ts';
import { REMITTANCE_NOTE, type ReadPayout, readItems, readPayout } from './read-payout.ts';
import { meaningOf } from './vocabulary.ts';

export const PAYOUTS_PATH = '/payouts';
export const IDEMPOTENCY_HEADER = 'x-payout-idempotency';

/** The largest page that RazorpayX returns. */
export const PAGE_SIZE = 100;
export const BALANCES_PATH = `/banking_balances?count=${PAGE_SIZE}`;

/** The limit of one IMPS transfer, in paise. */
const MOST_IMPS = 50_000_000n;
const MOST_NARRATION = 30;
const LEAST_NAME = 3;

/** Equal orders always give equal bytes, because RazorpayX rejects other bytes under a known key. */
export function writePayout(
  order: PayoutOrder,
  { accountNumber, purpose }: Pick<RazorpayXConfiguration, 'accountNumber' | 'purpose'>,
): Result<string, Declined> {
  const { reference, money, remittance } = order;
  invariant(money.currency === 'INR' && money.minor > 0n, 'amount is not a positive INR amount');
  invariant(/^[A-Za-z0-9_-]{4,36}$/.test(reference), 'reference is not a valid idempotency key');
  const name = readName(beneficiaryField(order, 'full_name'));
  if (!name.ok) return name;
  return ok(
    JSON.stringify({
      account_number: accountNumber,
      fund_account: fundAccount(order, name.value),
      // An integer of paise, small enough that a double is exact.
      amount: Number(money.minor),
      currency: money.currency,
      mode: money.minor > MOST_IMPS ? 'NEFT' : 'IMPS',
      purpose,
      queue_if_low_balance: true,
      reference_id: reference,
      narration: narration(remittance),
      notes: { [REMITTANCE_NOTE]: remittance },
    }),
  );
}

function fundAccount(order: PayoutOrder, name: string): object {
  return {
    account_type: 'bank_account',
    bank_account: {
      name,
      ifsc: beneficiaryField(order, 'customs_ifsc'),
      account_number: beneficiaryField(order, 'account'),
    },
    contact: {
      name,
      email: beneficiaryField(order, 'customs_email'),
      // As in RazorpayX's examples, without the country code.
      contact: beneficiaryField(order, 'customs_phone').replace(/^\+91/, ''),
      type: 'customer',
    },
  };
}

function readName(fullName: string): Result<string, Declined> {
  const name = fullName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll("'", '’')
    .replace(/[^\p{L}0-9 ’_/().-]+/gu, ' ')
    .trim();
  const refused = (reason: string) => fail(declined('invalid_beneficiary', reason));
  if (name === '') return refused('RazorpayX needs full_name');
  if (/[^\P{L}A-Za-z]/u.test(name)) return refused('RazorpayX accepts full_name in Latin letters only');
  return name.length < LEAST_NAME ? refused('RazorpayX finds full_name too short') : ok(name);
}

/** Returns the text that the beneficiary's bank shows. Some banks keep only its first nine characters. */
function narration(remittance: string): string {
  return remittance
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, MOST_NARRATION)
    .trim();
}

/** Returns the list of payouts with the reference. */
export function payoutsOfReference(accountNumber: string, reference: string): string {
  return listPath({ account_number: accountNumber, reference_id: reference });
}

/** A page of the payouts made between two seconds. */
export function payoutsMade(accountNumber: string, fromSecond: number, toSecond: number, skip: number): string {
  const span = { from: String(fromSecond), to: String(toSecond) };
  return listPath({ account_number: accountNumber, ...span, skip: String(skip) });
}

function listPath(query: Readonly<Record<string, string>>): string {
  return `${PAYOUTS_PATH}?${new URLSearchParams({ ...query, count: String(PAGE_SIZE) })}`;
}

/** Reads the successful response to a new payout. */
export function readMade(order: PayoutOrder, fields: JsonObject): RailAnswer {
  const payout = readPayout(fields);
  return payout ? wordOn(order, payout) : unknown('RazorpayX’s response does not contain a payout');
}

/** Reads the list of payouts with the order's reference. */
export function readFound(order: PayoutOrder, fields: JsonObject): RailStatus {
  const items = readItems(fields);
  if (!items) return unknown('RazorpayX’s response does not contain a list');
  const found = items.map((item) => readPayout(item)).filter((payout) => payout !== undefined);
  if (found.length < items.length) return unknown('RazorpayX lists entries that are not payouts');
  const words = found.map((payout) => wordOn(order, payout));
  const [word] = WEIGHT.flatMap((kind) => words.filter((each) => each.kind === kind));
  return word ?? { kind: 'not_found' };
}

type Word = Exclude<RailAnswer, { kind: 'not_accepted' }>;

/** Decides which of several payouts under one reference counts: money that has left or may leave before money that has not. */
const WEIGHT: readonly Word['kind'][] = ['unknown', 'executed', 'pending', 'reversed', 'declined'];

function wordOn({ reference, money }: PayoutOrder, payout: ReadPayout): Word {
  const isOurs = payout.reference === reference && payout.money.minor === money.minor;
  if (!isOurs) return unknown('RazorpayX’s response is about another payout');
  return meaningOf(payout.status, payout.reason) ?? unknown(`RazorpayX reports ${payout.status}`);
}

/** Returns the available amount of the account. */
export function readBalance(accountNumber: string, fields: JsonObject): Result<Money, string> {
  const items = readItems(fields);
  if (!items) return fail('RazorpayX’s response does not contain a list');
  const own = items.find(
    (item) => textOf(item, 'account_number') === accountNumber && textOf(item, 'currency') === 'INR',
  );
  if (!own) return fail('RazorpayX does not list a balance for our account');
  const available = minorBalanceOf(textOf(own, 'available_amount'), 'INR');
  return available ? ok(available) : fail('RazorpayX’s response does not contain a readable balance');
}
