/**
 * RazorpayX's answers that are no success, and what each proves.
 *
 * Confirmed by RazorpayX's pages on errors: the shape (`error` with code, description, reason, field), 401 for a wrong key,
 * the beginning of the sentence for an address that is not on its allow-list, 429 for too many requests, `input_validation_failed`
 * and `insufficient_funds` for a request that it does not take, the sentence for another body under a known key; that **every
 * 5xx leaves open what became of the payout**. By clients alone: the sentence for too little money, the status of a refused
 * address. Not confirmed: which name `field` has for what lies deeper in the request, so the description is looked at too;
 * and that a request which was refused by any other 400 is gone for good, so such a one is asked about.
 */
import { declined, notTaken, type Refused, unknown } from '../kit/payout-answers.ts';
import { objectOf, readObject, shownText, textOf } from '../kit/provider-json.ts';

export interface Refusal {
  /** What it means for a payout that was to be made. */
  readonly answer: Refused;
  /** RazorpayX does not take us for who we are. */
  readonly isOfCredentials: boolean;
}

interface ErrorAnswer {
  readonly status: number;
  readonly reason: string;
  readonly description: string;
  /** Where it names one. */
  readonly field: string;
}

interface Meaning {
  readonly fits: (error: ErrorAnswer) => boolean;
  readonly answer: Refused;
  readonly isOfCredentials?: true;
}

const INVALID_INPUT = 'input_validation_failed';

const says = (beginning: string) => (error: ErrorAnswer) => error.description.startsWith(beginning);
/** Names that say too little: none, and one that our account has as well as the beneficiary's. */
const AMBIGUOUS = ['', 'account_number'];

/** By the field's name, or where that says too little by how the sentence begins. */
const isInvalid =
  (name: RegExp, sentence: RegExp) =>
  ({ status, reason, field, description }: ErrorAnswer) =>
    status === 400 &&
    reason === INVALID_INPUT &&
    (AMBIGUOUS.includes(field) ? sentence.test(description) : name.test(field));

/** The first that fits counts. No later try mends a beneficiary that RazorpayX can't read; other fields are our own fault. */
const MEANINGS: readonly Meaning[] = [
  {
    fits: ({ status }) => status === 401,
    answer: notTaken('RazorpayX refuses our key (HTTP 401): check its id and its secret'),
    isOfCredentials: true,
  },
  {
    fits: says('Transactions from this IP are not allowed'),
    answer: notTaken('RazorpayX refuses our address: put it on the allow-list there'),
    isOfCredentials: true,
  },
  { fits: ({ status }) => status === 429, answer: notTaken('RazorpayX finds our requests too many') },
  {
    fits: (error) =>
      error.status === 400 &&
      (error.reason === 'insufficient_funds' || says('Your account does not have enough balance')(error)),
    answer: notTaken('our account at RazorpayX has too little money'),
  },
  { fits: isInvalid(/\bifsc$/, /^The IFSC\b/i), answer: declined('52', 'RazorpayX refuses customs_ifsc') },
  {
    fits: isInvalid(/\bbank_account\.account_number$/, /^The account number format\b/i),
    answer: declined('52', 'RazorpayX refuses account'),
  },
  { fits: isInvalid(/\bname$/, /^The (?:contact )?name\b/i), answer: declined('52', 'RazorpayX refuses full_name') },
  { fits: isInvalid(/\bemail$/, /^The email\b/i), answer: declined('52', 'RazorpayX refuses customs_email') },
  {
    fits: isInvalid(/\bcontact$/, /^The contact number\b/i),
    answer: declined('52', 'RazorpayX refuses customs_phone'),
  },
  { fits: isInvalid(/^amount$/, /^The amount\b/i), answer: declined('53', 'RazorpayX refuses amount') },
];

const MOST_SAID = 120;

export function readRefusal(status: number, body: Buffer): Refusal {
  const error = status < 500 ? readError(status, body) : undefined;
  if (!error) return { answer: unknown(`HTTP ${status}`), isOfCredentials: false };
  const meaning = MEANINGS.find(({ fits }) => fits(error));
  return { answer: meaning?.answer ?? otherwise(error), isOfCredentials: meaning?.isOfCredentials ?? false };
}

function otherwise({ status, reason, field, description }: ErrorAnswer): Refused {
  const isOurFault = status === 400 && reason === INVALID_INPUT && /^[a-z][a-z_.]{0,79}$/.test(field);
  return isOurFault
    ? notTaken(`RazorpayX refuses the field ${field}`)
    : unknown(`HTTP ${status}: ${withoutNumbers(description)}`);
}

/** Undefined: none of RazorpayX's own errors. */
function readError(status: number, body: Buffer): ErrorAnswer | undefined {
  const error = objectOf(readObject(body), 'error');
  if (!textOf(error, 'code').startsWith('BAD_REQUEST_')) return undefined;
  const [reason, description, field] = [textOf(error, 'reason'), textOf(error, 'description'), textOf(error, 'field')];
  return { status, reason, description, field };
}

/** A sentence of theirs that may repeat what we sent. */
function withoutNumbers(text: string): string {
  return shownText(text.replace(/[^A-Za-z0-9.,_-]+/g, ' ').replace(/\d{5,}/g, '…'), MOST_SAID);
}
