/**
 * Paying into Indian bank accounts through RazorpayX: what it is asked, and what its answers say of a payout. Pure: no network,
 * no clock. Who we are is in authentication.ts, refusals in refusals.ts, the words for where a payout stands in vocabulary.ts.
 *
 * Confirmed by RazorpayX's pages: a payout with its beneficiary in it (`POST /payouts` with `fund_account`), its fields, which
 * of them it needs and what they may hold; HTTP 200 for all that succeeds, `failed` payouts too; `X-Payout-Idempotency` of 4 to
 * 36 letters, digits and hyphens, valid for 7 days, under which the same body makes no second payout and another is refused;
 * `reference_id` finds a payout in the list, and "none" proves nothing within an hour; with `queue_if_low_balance` a payout
 * waits for money instead of failing; IMPS pays at once and takes up to five lakh rupees, NEFT pays within hours. RazorpayX
 * demands the beneficiary's name (3 or 4 to 120 characters, its pages differ) and the contact's (3 to 50), both of Latin
 * letters, digits and a few signs; a payout without such a one is declined here, as no later try would mend it.
 *
 * Not confirmed: what a key is worth after 7 days. A payout is sent again only where it is proved that every try before was
 * not taken, so nothing rests on that. Nor whether `reference_id` has to be unique: two payouts under one are looked at together.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { beneficiaryField } from '../kit/beneficiary-field.ts';
import { type Declined, declined, unknown } from '../kit/payout-answers.ts';
import { type JsonObject, minorBalanceOf, textOf } from '../kit/provider-json.ts';
import type { RazorpayXConfiguration } from './configuration.ts';
import { REMITTANCE_NOTE, type ReadPayout, readItems, readPayout } from './read-payout.ts';
import { meaningOf } from './vocabulary.ts';

export const PAYOUTS_PATH = '/payouts';
export const IDEMPOTENCY_HEADER = 'x-payout-idempotency';

/** The most of a list that RazorpayX gives at once. */
export const PAGE_SIZE = 100;
export const BALANCES_PATH = `/banking_balances?count=${PAGE_SIZE}`;

/** Of one IMPS transfer, in paise. */
const MOST_IMPS = 50_000_000n;
const MOST_NARRATION = 30;
const LEAST_NAME = 3;

/** The same order gives the same bytes, for ever: under a known key RazorpayX refuses any others. */
export function writePayout(
  order: PayoutOrder,
  { accountNumber, purpose }: Pick<RazorpayXConfiguration, 'accountNumber' | 'purpose'>,
): Result<string, Declined> {
  const { reference, money, remittance } = order;
  invariant(money.currency === 'INR' && money.minor > 0n, 'RazorpayX pays rupees');
  invariant(/^[A-Za-z0-9_-]{4,36}$/.test(reference), 'a reference has to be fit for an idempotency key');
  const name = readName(beneficiaryField(order, 'full_name'));
  if (!name.ok) return name;
  return ok(
    JSON.stringify({
      account_number: accountNumber,
      fund_account: fundAccount(order, name.value),
      // Whole paise below a limit that a double holds exactly.
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
      // As RazorpayX's examples have it, without the country's number.
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
  const refused = (reason: string) => fail(declined('52', reason));
  if (name === '') return refused('RazorpayX needs full_name');
  if (/[^\P{L}A-Za-z]/u.test(name)) return refused('RazorpayX takes full_name in Latin letters only');
  return name.length < LEAST_NAME ? refused('RazorpayX finds full_name too short') : ok(name);
}

/** What the beneficiary's bank shows; some keep only its first nine characters. */
function narration(remittance: string): string {
  return remittance
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, MOST_NARRATION)
    .trim();
}

/** The list of what bears the reference. */
export function payoutsOfReference(accountNumber: string, reference: string): string {
  return listPath({ account_number: accountNumber, reference_id: reference });
}

/** A page of what was made between two seconds. */
export function payoutsMade(accountNumber: string, fromSecond: number, toSecond: number, skip: number): string {
  const span = { from: String(fromSecond), to: String(toSecond) };
  return listPath({ account_number: accountNumber, ...span, skip: String(skip) });
}

function listPath(query: Readonly<Record<string, string>>): string {
  return `${PAYOUTS_PATH}?${new URLSearchParams({ ...query, count: String(PAGE_SIZE) })}`;
}

/** What the answer to a payout that was to be made says, when it is a success. */
export function readMade(order: PayoutOrder, fields: JsonObject): RailAnswer {
  const payout = readPayout(fields);
  return payout ? wordOn(order, payout) : unknown('RazorpayX answers with something else than a payout');
}

/** What the list of what bears the order's reference says of it. */
export function readFound(order: PayoutOrder, fields: JsonObject): RailStatus {
  const items = readItems(fields);
  if (!items) return unknown('RazorpayX answers with something else than a list');
  const found = items.map((item) => readPayout(item)).filter((payout) => payout !== undefined);
  if (found.length < items.length) return unknown('RazorpayX lists something else than payouts');
  const words = found.map((payout) => wordOn(order, payout));
  const [word] = WEIGHT.flatMap((kind) => words.filter((each) => each.kind === kind));
  return word ?? { kind: 'not_found' };
}

type Word = Exclude<RailAnswer, { kind: 'not_taken' }>;

/** Of several payouts under one reference, which one counts: money that has left, or may leave, before what has not. */
const WEIGHT: readonly Word['kind'][] = ['unknown', 'executed', 'pending', 'reversed', 'declined'];

function wordOn({ reference, money }: PayoutOrder, payout: ReadPayout): Word {
  const isOurs = payout.reference === reference && payout.money.minor === money.minor;
  if (!isOurs) return unknown('RazorpayX tells of another payout than ours');
  return meaningOf(payout.status, payout.reason) ?? unknown(`RazorpayX says ${payout.status}`);
}

/** What can be paid out of the account. */
export function readBalance(accountNumber: string, fields: JsonObject): Result<Money, string> {
  const items = readItems(fields);
  if (!items) return fail('RazorpayX answers with something else than a list');
  const own = items.find(
    (item) => textOf(item, 'account_number') === accountNumber && textOf(item, 'currency') === 'INR',
  );
  if (!own) return fail('RazorpayX lists no balance of our account');
  const available = minorBalanceOf(textOf(own, 'available_amount'), 'INR');
  return available ? ok(available) : fail('RazorpayX names no balance that can be read');
}
