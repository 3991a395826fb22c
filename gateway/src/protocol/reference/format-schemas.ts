/**
 * The values that the formats of the payout family accept, for users and for programs. A pattern is necessary, not sufficient:
 * check digits, lists and dates are beyond it.
 */
import { type FormatName, LATIN_NAME } from '../payout/formats.ts';

interface FormatSchema {
  /** A description for merchants, in Markdown. */
  readonly accepts: string;
  /** A regular expression with the flag `u`. */
  readonly pattern: string;
  /** A value that the gateway accepts. */
  readonly example: string;
}

const ID = '^(?!0$)[A-Za-z0-9._\\-]{1,64}$';
const CARD = '^[0-9]{12,19}$';
const EMAIL = '^[^@\\s]+@[^@\\s]+$';
const ADDRESS = "^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} .,'’\\/#№()&\\-]*$";

export const FORMAT_SCHEMAS: Readonly<Record<FormatName, FormatSchema>> = {
  id: { accepts: '1–64 of letters, digits, `.`, `_`, `-`; not `0` alone', pattern: ID, example: 'A17' },
  amount: {
    accepts: '1–12 digits, at most 2 more after a `.`, above zero',
    pattern: '^(?=.*[1-9])[0-9]{1,12}(\\.[0-9]{1,2})?$',
    example: '10.00',
  },
  currency: { accepts: 'the currency of the method', pattern: '^[A-Z]{3}$', example: 'EUR' },
  card: { accepts: '12–19 digits, valid check digit', pattern: CARD, example: '4111111111111111' },
  visaCard: { accepts: 'a Visa card: 12–19 digits, valid check digit', pattern: CARD, example: '4111111111111111' },
  mastercard: { accepts: 'a Mastercard: 12–19 digits, valid check digit', pattern: CARD, example: '5555555555554444' },
  sandboxCard: { accepts: '12–19 digits, no check digit', pattern: CARD, example: '4111111111111111' },
  expiry: { accepts: '`mm/yy`, not past', pattern: '^(0[1-9]|1[0-2])\\/[0-9]{2}$', example: '12/49' },
  kazakhMobile: {
    accepts: 'a Kazakh mobile number, 11 digits from `7`, no `+`',
    pattern: '^7[0-9]{10}$',
    example: '77012345678',
  },
  bankAccount: { accepts: '5–34 letters and digits', pattern: '^[A-Za-z0-9]{5,34}$', example: '026291800001191' },
  ukrainianIban: {
    accepts: 'an IBAN from `UA`, valid check digits',
    pattern: '^UA[0-9]{8}[A-Z0-9]{19}$',
    example: 'UA213223130000026007233566001',
  },
  accountOrEmail: {
    accepts: '5–34 letters and digits, or an email address',
    pattern: `^[A-Za-z0-9]{5,34}$|${EMAIL}`,
    example: 'anna@example.com',
  },
  personName: {
    accepts: "letters of any script, single spaces, `.`, `'`, `’`, `-` between them",
    pattern: "^\\p{L}[\\p{L}\\p{M} .'’\\-]*$",
    example: 'Anna Example',
  },
  latinName: {
    accepts: "Latin letters, single spaces, `.`, `'`, `’`, `-` between them",
    pattern: LATIN_NAME,
    example: 'Anna Example',
  },
  address: {
    accepts: "letters, digits, spaces, `. , ' ’ / # № ( ) & -`",
    pattern: ADDRESS,
    example: '1 Example Street',
  },
  postCode: {
    accepts: 'letters and digits, spaces and `-` between them',
    pattern: '^[A-Za-z0-9]([A-Za-z0-9 \\-]*[A-Za-z0-9])?$',
    example: '10115',
  },
  birthday: {
    accepts: '`dd-mm-yyyy`, a day from 1900 until today',
    pattern: '^[0-9]{2}-[0-9]{2}-(19|20)[0-9]{2}$',
    example: '24-08-1991',
  },
  indianPhone: { accepts: '`+91` and ten digits', pattern: '^\\+91[0-9]{10}$', example: '+919876543210' },
  phone: {
    accepts: '`+` and 7–15 digits, a possible number of its country',
    pattern: '^\\+[0-9]{7,15}$',
    example: '+4915112345678',
  },
  phonePlusOptional: {
    accepts: '7–15 digits, with or without `+`, a possible number of its country',
    pattern: '^\\+?[0-9]{7,15}$',
    example: '+14165550123',
  },
  email: { accepts: 'an email address', pattern: EMAIL, example: 'anna@example.com' },
  ifsc: {
    accepts: 'an IFSC of 11 characters whose bank exists',
    pattern: '^[A-Z]{4}0[A-Z0-9]{6}$',
    example: 'HDFC0000001',
  },
  ip: { accepts: 'IPv4 with four decimal parts, or IPv6', pattern: '^[0-9A-Fa-f:.]+$', example: '203.0.113.7' },
  country: {
    accepts: 'two-letter country code (ISO 3166-1), any case',
    pattern: '^[A-Za-z]{2}$',
    example: 'DE',
  },
  inn: {
    accepts: 'ten digits, or the number of a passport: two letters and six digits, or nine digits',
    pattern: '^([0-9]{9,10}|[A-ZА-ЯІЇЄҐ]{2}[0-9]{6})$',
    example: '1759013776',
  },
};
