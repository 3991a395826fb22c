/**
 * Reads the payer's POST and browser: requested details, card and browser data, and builds the domain's view of the acting
 * payer from them. Card number, expiry date and CVV become secrets here and go only to the rail. No page may show a text again
 * that could hold a card number, whatever field it came from.
 */
import type { MerchantSettings } from '../../../domain/merchants/merchant-settings.ts';
import { CARD_NETWORKS, type CardBrand, findNetwork, isAcceptedBrand } from '../../../domain/methods/card-brand.ts';
import type { SubmittedPayment } from '../../../domain/payments/attempts/payment-parts.ts';
import type { PayerBrowser, PaymentCard, PaymentPayer } from '../../../domain/payments/payment-rail.ts';
import { isCardNumber } from '../../../domain/vault/card-number.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { parseAddress } from '../../../foundation/networks.ts';
import { Secret } from '../../../foundation/secret.ts';
import { isFutureExpiry, isPrintableText } from '../../formats/field-formats.ts';
import { withLanguage } from '../form-pages.ts';
import { FORM_PATH, type FormParts, type Visit } from '../form-visit.ts';
import type { AskedDetails, CardField, DetailField, FieldError, FieldErrors } from '../pages/page-view.ts';
import { fieldFault, statedPayer } from '../request/form-fields.ts';
import { returnSecret } from '../view/form-secrets.ts';
import { choiceQuery, type PageChoice } from '../view/page-choice.ts';

export type PostedFields = ReadonlyMap<string, string>;

function textOf(fields: PostedFields, name: string): string {
  return (fields.get(name) ?? '').trim();
}

/** Punctuation that users type and the API does not allow. */
const PUNCTUATION: Readonly<Partial<Record<DetailField, RegExp>>> = { phone: /[\s().-]/g, cpf: /[\s./-]/g };

/** A length that no field exceeds. */
const LONGEST_SHOWN = 300;

/** Matches twelve or more digits with anything between them except letters. */
const DIGIT_RUN = /\d(?:[^\p{L}\p{N}]*\d){11,}/gu;

/** Phone numbers have at most 15 digits. A card number followed by its date or CVV has more. */
const MOST_DIGITS = 15;

/**
 * Decides only whether a page shows a text again, so it errs towards hiding. It also catches a mistyped card number,
 * and one with digits around it.
 */
function mayHoldCardNumber(text: string): boolean {
  const runs = text.normalize('NFKC').match(DIGIT_RUN) ?? [];
  return runs
    .map((run) => run.replace(/\D/g, ''))
    .some((digits) => digits.length > MOST_DIGITS || isCardNumber(digits));
}

export interface ReadDetails {
  /** The values as typed, with the error of each, for the page. */
  readonly shown: AskedDetails;
  readonly given: Readonly<Partial<Record<DetailField, string>>>;
  readonly areRight: boolean;
}

export function readDetails(
  asked: readonly DetailField[],
  posted: PostedFields,
  settings: MerchantSettings,
): ReadDetails {
  const given = asked.map((name) => [name, textOf(posted, name).replace(PUNCTUATION[name] ?? '', '')] as const);
  const errors = given.flatMap(([name, text]) => {
    const error = detailError(name, text, settings);
    return error === undefined ? [] : [[name, error] as const];
  });
  const values = given.filter(([, text]) => text.length <= LONGEST_SHOWN && !mayHoldCardNumber(text));
  return {
    shown: { fields: asked, values: Object.fromEntries(values), errors: Object.fromEntries(errors) },
    given: Object.fromEntries(given),
    areRight: errors.length === 0,
  };
}

function detailError(name: DetailField, text: string, settings: MerchantSettings): FieldError | undefined {
  if (text === '') return 'required';
  const fault = fieldFault(name, text, settings);
  if (fault === undefined) return undefined;
  return fault.kind === 'too_long' ? 'too_long' : 'invalid';
}

interface ReadCard {
  /** Null if any field is invalid. */
  readonly card: PaymentCard | null;
  readonly errors: FieldErrors<CardField>;
  /** The holder's name as the page may show it again. */
  readonly holder: string;
}

export function readCard(posted: PostedFields, now: Instant, brands: readonly CardBrand[]): ReadCard {
  const number = new Secret(textOf(posted, 'card_number').replace(/[\s-]/g, ''));
  const expiry = new Secret(writtenExpiry(textOf(posted, 'card_expiry')));
  const cvv = new Secret(textOf(posted, 'card_cvv'));
  const holder = textOf(posted, 'card_holder');
  const checked: Readonly<Record<CardField, FieldError | undefined>> = {
    card_number: numberError(number) ?? brandError(number, brands),
    card_expiry: expiryError(expiry, now),
    card_cvv: cvvError(cvv, number),
    card_holder: holderError(holder),
  };
  const errors = Object.fromEntries(Object.entries(checked).filter(([, error]) => error !== undefined));
  const isWrong = Object.keys(errors).length > 0;
  return { card: isWrong ? null : { number, expiry, cvv, holder }, errors, holder: shownHolder(posted) };
}

/** Returns the holder's name as a page may show it again. */
export function shownHolder(posted: PostedFields): string {
  const holder = textOf(posted, 'card_holder');
  return [...holder].length <= LONGEST_HOLDER * 2 && !holdsDigits(holder) ? holder : '';
}

function numberError(number: Secret): FieldError | undefined {
  if (number.isEmpty) return 'required';
  return isCardNumber(number.reveal()) ? undefined : 'invalid';
}

function brandError(number: Secret, brands: readonly CardBrand[]): FieldError | undefined {
  return isAcceptedBrand(number.reveal(), brands) ? undefined : 'not_accepted';
}

/** Writes `4 / 2029`, `04/29` and `0429` as `04/29`. Any other text stays unchanged, and the check rejects it. */
function writtenExpiry(text: string): string {
  const [, month, year] = /^(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)$/.exec(text) ?? [];
  if (month && year) return `${month.padStart(2, '0')}/${year}`;
  return /^\d{4}$/.test(text) ? `${text.slice(0, 2)}/${text.slice(2)}` : text;
}

function expiryError(expiry: Secret, now: Instant): FieldError | undefined {
  if (expiry.isEmpty) return 'required';
  if (isFutureExpiry(expiry.reveal(), now)) return undefined;
  return /^(?:0[1-9]|1[0-2])\/\d\d$/.test(expiry.reveal()) ? 'expired' : 'invalid';
}

function cvvError(cvv: Secret, number: Secret): FieldError | undefined {
  if (cvv.isEmpty) return 'required';
  const network = numberError(number) === undefined ? findNetwork(number.reveal(), CARD_NETWORKS) : undefined;
  const lengths = network === undefined ? [3, 4] : [network.cvv];
  return /^\d+$/.test(cvv.reveal()) && lengths.includes(cvv.reveal().length) ? undefined : 'invalid';
}

const LONGEST_HOLDER = 60;

function holderError(holder: string): FieldError | undefined {
  if (holder === '') return 'required';
  if ([...holder].length > LONGEST_HOLDER) return 'too_long';
  return isPrintableText(holder) && /\p{L}/u.test(holder) && !holdsDigits(holder) ? undefined : 'invalid';
}

/** Returns true if the text has more digits than a name can have. */
function holdsDigits(holder: string): boolean {
  return /\p{N}{2}/u.test(holder) || mayHoldCardNumber(holder);
}

const LONGEST_HEADER = 512;

/** Returns the browser's own statements, unverified. An invalid number becomes zero. */
export function readBrowser(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  posted: PostedFields,
): PayerBrowser {
  const header = (name: string) => (headers[name]?.toString() ?? '').slice(0, LONGEST_HEADER);
  const number = (name: string) => {
    const text = textOf(posted, `browser_${name}`);
    return /^-?\d{1,5}$/.test(text) ? Number(text) : 0;
  };
  return {
    userAgent: header('user-agent'),
    acceptHeader: header('accept'),
    screenWidth: Math.max(0, number('screen_width')),
    screenHeight: Math.max(0, number('screen_height')),
    colorDepth: Math.max(0, number('color_depth')),
    timeZoneOffset: number('time_zone_offset'),
    timeZone: knownZone(textOf(posted, 'browser_time_zone')),
    hasJavaScript: textOf(posted, 'browser_java_script') === 'true',
  };
}

/** Intl also accepts `+02:00`, which is an offset and not the name of a zone. */
function knownZone(name: string): string {
  if (!/^[A-Za-z][\w+/-]{1,40}$/.test(name)) return '';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return '';
  }
}

/** The payer's address and browser, from the request. */
export interface Requester {
  readonly ip: string;
  readonly browser: PayerBrowser;
}

/** The part of an attempt that does not depend on the payer's action. */
type ActingPayer = Omit<SubmittedPayment, 'card' | 'paymentType' | 'attemptsSeen'>;

export function actingPayer(
  parts: FormParts,
  { token, record, merchant }: Visit,
  choice: PageChoice,
  requester: Requester,
  given: Readonly<Partial<Record<DetailField, string>>> = {},
): ActingPayer {
  const { session } = record;
  const language = choice.language ?? session.language;
  const stated = statedPayer({ ...session.parameters, ...given });
  const payer: PaymentPayer = {
    ...stated,
    bankId: choice.bankId ?? stated.bankId,
    language,
    ip: parseAddress(requester.ip)?.toString() ?? '',
    browser: requester.browser,
  };
  const query = choiceQuery(withLanguage({}, language, session.language));
  return {
    session,
    merchant,
    payer,
    returnUrl: ({ attempt, reference }) =>
      `${parts.publicUrl()}${FORM_PATH}/${token}/return/${attempt}-${returnSecret(parts, token, reference)}${query}`,
  };
}
