/**
 * Decides what RazorpayX's unsuccessful responses prove.
 *
 * Confirmed by RazorpayX's pages on errors: the form (`error` with code, description, reason, field), 401 for a wrong key, the
 * beginning of the message for an IP address outside its allow-list, 429 for too many requests, `input_validation_failed` and
 * `insufficient_funds` for a request that it rejects, the message for a different body under a known key. **After every 5xx
 * the payout's outcome is unknown.** Confirmed only by clients: the message for a short balance, the status for a refused
 * address. Not confirmed: the value of `field` for nested fields, so the code reads the description too. Not confirmed: that a
 * request rejected with any other 400 is final, so the rail queries it.
 */

import { objectOf, readObject, shownText, textOf } from '../kit/provider-json.ts';
import { declined, notAccepted, type Refused, unknown } from '../kit/rail-answers.ts';

export interface Refusal {
  /** The meaning for a new payout. */
  readonly answer: Refused;
  /** True if RazorpayX rejects our credentials. */
  readonly isOfCredentials: boolean;
}

interface ErrorAnswer {
  readonly status: number;
  readonly reason: string;
  readonly description: string;
  /** The field's name, if the error has one. */
  readonly field: string;
}

interface Meaning {
  readonly fits: (error: ErrorAnswer) => boolean;
  readonly answer: Refused;
  readonly isOfCredentials?: true;
}

const INVALID_INPUT = 'input_validation_failed';

const says = (beginning: string) => (error: ErrorAnswer) => error.description.startsWith(beginning);
/** Names that say too little: none, or one that our account and the beneficiary share. */
const AMBIGUOUS = ['', 'account_number'];

/** Matches the field's name, or the beginning of the message if the name says too little. */
const isInvalid =
  (name: RegExp, sentence: RegExp) =>
  ({ status, reason, field, description }: ErrorAnswer) =>
    status === 400 &&
    reason === INVALID_INPUT &&
    (AMBIGUOUS.includes(field) ? sentence.test(description) : name.test(field));

/** The first match counts. A retry cannot correct a beneficiary that RazorpayX rejects. Other fields are our own fault. */
const MEANINGS: readonly Meaning[] = [
  {
    fits: ({ status }) => status === 401,
    answer: notAccepted('RazorpayX refuses our key (HTTP 401): check its id and its secret'),
    isOfCredentials: true,
  },
  {
    fits: says('Transactions from this IP are not allowed'),
    answer: notAccepted('RazorpayX refuses our address: put it on the allow-list there'),
    isOfCredentials: true,
  },
  { fits: ({ status }) => status === 429, answer: notAccepted('RazorpayX rejects our requests by its rate limit') },
  {
    fits: (error) =>
      error.status === 400 &&
      (error.reason === 'insufficient_funds' || says('Your account does not have enough balance')(error)),
    answer: notAccepted('the balance of our account at RazorpayX is too low'),
  },
  {
    fits: isInvalid(/\bifsc$/, /^The IFSC\b/i),
    answer: declined('invalid_beneficiary', 'RazorpayX refuses customs_ifsc'),
  },
  {
    fits: isInvalid(/\bbank_account\.account_number$/, /^The account number format\b/i),
    answer: declined('invalid_beneficiary', 'RazorpayX refuses account'),
  },
  {
    fits: isInvalid(/\bname$/, /^The (?:contact )?name\b/i),
    answer: declined('invalid_beneficiary', 'RazorpayX refuses full_name'),
  },
  {
    fits: isInvalid(/\bemail$/, /^The email\b/i),
    answer: declined('invalid_beneficiary', 'RazorpayX refuses customs_email'),
  },
  {
    fits: isInvalid(/\bcontact$/, /^The contact number\b/i),
    answer: declined('invalid_beneficiary', 'RazorpayX refuses customs_phone'),
  },
  { fits: isInvalid(/^amount$/, /^The amount\b/i), answer: declined('limit_or_risk', 'RazorpayX refuses amount') },
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
    ? notAccepted(`RazorpayX refuses the field ${field}`)
    : unknown(`HTTP ${status}: ${withoutNumbers(description)}`);
}

/** Returns undefined if the error is not RazorpayX's own. */
function readError(status: number, body: Buffer): ErrorAnswer | undefined {
  const error = objectOf(readObject(body), 'error');
  if (!textOf(error, 'code').startsWith('BAD_REQUEST_')) return undefined;
  const [reason, description, field] = [textOf(error, 'reason'), textOf(error, 'description'), textOf(error, 'field')];
  return { status, reason, description, field };
}

/** Their message without digits that it may repeat from our request. */
function withoutNumbers(text: string): string {
  return shownText(text.replace(/[^A-Za-z0-9.,_-]+/g, ' ').replace(/\d{5,}/g, '…'), MOST_SAID);
}
