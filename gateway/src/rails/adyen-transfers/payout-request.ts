/**
 * Writes a payout as Adyen's transfer from our balance account to a card. Pure. Only this file reveals the card number.
 *
 * Confirmed by Adyen's OpenAPI description of Transfers v4: the fields, their characters and lengths. A cardholder is an
 * `individual` with `firstName` and `lastName`. An address requires `country`, and for cards `line1`, `line2` and `city`; in
 * the United States also `postalCode`, and there and in Canada `stateOrProvince`. A list can be filtered by `reference`.
 *
 * Methods 9, 22, 23 and 8 carry no address, and the description permits its absence. The rail omits it then, and if it
 * would be incomplete. It follows Adyen's example, which has the house number in `line1` and the street in `line2`. Adyen
 * does not accept a payout without a name in Latin letters, and there is no substitute, so the rail declines such a payout. Not
 * confirmed: the maximum length of names, and whether a card needs its expiry (sent if the method has it).
 */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { latinText } from '../kit/latin-text.ts';
import { beneficiaryField, type Declined, declined } from '../kit/rail-answers.ts';

const MOST_DESCRIPTION = 140;
const NAME = /[A-Za-z./ -]/;
const ADDRESS = /[A-Za-z0-9./#,:;()&|\\[\]-]/;
const DESCRIPTION = /[A-Za-z0-9/?:().,+-]/;

/** Returns the JSON of the transfer, or a decline if Adyen cannot accept it. */
export function writeTransfer(order: PayoutOrder, balanceAccountId: string): Result<string, Declined> {
  const cardHolder = cardHolderOf(order);
  if (!cardHolder) return fail(declined('invalid_beneficiary', 'Adyen needs full_name in Latin letters'));
  const { money, reference, remittance } = order;
  return ok(
    JSON.stringify({
      amount: { value: Number(money.minor), currency: money.currency },
      balanceAccountId,
      category: 'card',
      counterparty: { card: { cardHolder, cardIdentification: cardOf(order) } },
      reference,
      description: latinText(describe(remittance), DESCRIPTION).slice(0, MOST_DESCRIPTION),
    }),
  );
}

/** Adyen does not accept an underscore, and our ids contain no plus sign. */
function describe(remittance: string): string {
  return remittance.replaceAll('_', '+');
}

/** Reads the order's remittance from a transfer's description. */
export function remittanceIn(description: string): string {
  return description.replaceAll('+', '_');
}

function cardOf(order: PayoutOrder) {
  const number = beneficiaryField(order, 'account');
  const [month, year] = beneficiaryField(order, 'exp_date').split('/');
  return month && year ? { number, expiryMonth: month, expiryYear: `20${year}` } : { number };
}

function cardHolderOf(order: PayoutOrder) {
  const words = latinText(beneficiaryField(order, 'full_name'), NAME).split(' ');
  const lastName = words.at(-1);
  if (!lastName) return undefined;
  const address = addressOf(order);
  const email = beneficiaryField(order, 'customs_email');
  const [day, month, year] = beneficiaryField(order, 'customs_birthday').split('-');
  return {
    type: 'individual',
    // A recipient with one name has it as first and last name, because Adyen requires both.
    firstName: words.slice(0, -1).join(' ') || lastName,
    lastName,
    ...(year ? { dateOfBirth: `${year}-${month}-${day}` } : {}),
    ...(email ? { email } : {}),
    ...(address ? { address } : {}),
  };
}

const STATES_NEEDED: ReadonlySet<string> = new Set(['US', 'CA']);

/** Returns undefined if there is no address, or none that Adyen accepts in full. */
function addressOf(order: PayoutOrder) {
  const country = beneficiaryField(order, 'customs_country').toUpperCase();
  const line = latinText(beneficiaryField(order, 'customs_address'), ADDRESS);
  const city = latinText(beneficiaryField(order, 'customs_city'), ADDRESS);
  const state = beneficiaryField(order, 'customs_state').toUpperCase();
  const hasState = /^[A-Z]{2}$/.test(state);
  if (country === '' || line === '' || city.length < 3 || (STATES_NEEDED.has(country) && !hasState)) return undefined;
  const postalCode = postalCodeOf(beneficiaryField(order, 'customs_post_code'), country);
  if (country === 'US' && !postalCode) return undefined;
  return {
    country,
    city,
    ...linesOf(line),
    ...(postalCode ? { postalCode } : {}),
    ...(hasState ? { stateOrProvince: state } : {}),
  };
}

function linesOf(line: string) {
  const words = line.split(' ');
  const number = words.find((word) => /^\d/.test(word));
  const street = words.filter((word) => word !== number).join(' ');
  return { line1: number ?? line, line2: street || line };
}

function postalCodeOf(text: string, country: string): string | undefined {
  const plain = text.replace(/[^A-Za-z0-9 ]/g, ' ').trim();
  const [code] = (country === 'US' ? /^\d{5}/ : /^.{3,10}$/).exec(plain) ?? [];
  return code;
}
