/**
 * Decides what Adyen's responses prove. Pure: no network, no clock. payment-request.ts writes the requests, notifications.ts
 * reads the webhooks, and three-d-secure.ts handles the messages of 3-D Secure.
 *  Confirmed by Adyen's OpenAPI description of Checkout v72: the result codes and which of them are final, the fields of a
 *  response and of its action, the shape of an error. Confirmed by recorded responses in public clients: the token of a
 *  fingerprint (`threeDSMethodUrl`, `threeDSServerTransID`, base64 with padding). Confirmed by Adyen's browser library: the
 *  token of a challenge. Confirmed by Adyen's description of idempotency and recorded responses: error 704 (HTTP 422 or 409)
 *  is the response to a repetition while the first request is in progress. Confirmed by Adyen's list of errors: a 4xx request was
 *  rejected before execution, and 101 means an impossible card number. The other numbers come from a public client that
 *  contains the list.
 *  `Authorised` is treated as paid, because capture is automatic (`captureDelayHours` 0). CAPTURE_FAILED reports a capture that
 *  fails later. The rail never requests a partial authorisation, and one would prove nothing here.
 */
import type { NoEffect, PaymentAnswer, PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Money } from '../../foundation/money.ts';
import type { Secret } from '../../foundation/secret.ts';
import { isCredentialStatus, isDefiniteRefusal } from '../kit/provider-http.ts';
import { asFields, type Fields, readObject, shownTextOf, textOf } from '../kit/provider-json.ts';
import { unknown } from '../kit/rail-answers.ts';
import { unpack } from './base64url-json.ts';
import { type KeptStep, WAITING } from './kept-step.ts';
import { refusalOfError } from './refusals.ts';
import { refusalOfCode } from './vocabulary.ts';

/** A response to the gateway, except that a step is still in the rail's own terms. */
export type Reading =
  | Exclude<PaymentAnswer, { kind: 'step' }>
  | { readonly kind: 'next'; readonly step: KeptStep; readonly providerReference: string }
  /** Adyen still processes an earlier copy of the same request. */
  | { readonly kind: 'in_progress' };

export interface ReadingParts {
  readonly order: Pick<PaymentOrder, 'reference' | 'money'>;
  /** The number of the step that this response may request. */
  readonly number: number;
  /** True if pages without TLS are allowed. */
  readonly simulated: boolean;
}

/** Adyen still processes an equal request. */
export function isInProgress(body: Buffer): boolean {
  return textOf(readObject(body), 'errorCode') === '704';
}

export function readPayment(status: number, body: Buffer, parts: ReadingParts): Reading {
  const fields = readObject(body);
  if (status === 200 && fields) return readResult(fields, parts);
  const error = textOf(fields, 'errorCode');
  const reason = `HTTP ${status} ${error} ${shownTextOf(fields, 'message')}`.trim();
  if (isInProgress(body)) return { kind: 'in_progress' };
  if (!fields || !(isDefiniteRefusal(status) || isCredentialStatus(status))) return unknown(reason);
  const refusal = status === 422 ? refusalOfError(error) : undefined;
  return refusal
    ? { kind: 'refused', refusal, canRetry: true, detail: reason, providerReference: pspReferenceOf(fields) }
    : { kind: 'not_accepted', reason };
}

/**
 * Reads the response to a payer's return. A rejection proves only that Adyen did not execute the step, and nothing about
 * the payment before it.
 */
export function readDetails(status: number, body: Buffer, parts: ReadingParts): Reading | NoEffect {
  const reading = readPayment(status, body, parts);
  if (status === 200 || reading.kind === 'in_progress') return reading;
  const isRefused = isDefiniteRefusal(status) || isCredentialStatus(status);
  return { kind: isRefused ? 'no_effect' : 'unknown', reason: `HTTP ${status}` };
}

function readResult(fields: Fields, parts: ReadingParts): Reading {
  const { reference, money } = parts.order;
  const named = textOf(fields, 'merchantReference');
  if (named !== '' && named !== reference) return unknown('Adyen’s response is about a different payment');
  const providerReference = pspReferenceOf(fields);
  const resultCode = textOf(fields, 'resultCode');
  switch (resultCode) {
    case 'Authorised': {
      const paid = moneyOf(fields['amount']);
      if (named === '') return unknown('Adyen authorised without naming the payment');
      if (paid?.currency !== money.currency || paid.minor !== money.minor)
        return unknown('Adyen did not return the requested amount');
      return providerReference === ''
        ? unknown('Adyen authorised without a reference')
        : { kind: 'paid', money, payerAccount: payerAccountOf(fields), providerReference };
    }
    case 'Refused':
    case 'Error':
    case 'Cancelled':
      return { kind: 'refused', ...refusalOf(fields, resultCode), providerReference };
    case 'Pending':
    case 'Received':
      return { kind: 'pending', isAuthorised: false, keep: WAITING, providerReference };
    default: {
      const step = readAction(resultCode, fields, parts);
      return step
        ? { kind: 'next', step, providerReference }
        : unknown(`Adyen reports ${shownTextOf(fields, 'resultCode')}`);
    }
  }
}

function refusalOf(fields: Fields, resultCode: string) {
  const code = textOf(fields, 'refusalReasonCode');
  return { ...refusalOfCode(code), detail: `${resultCode} ${code} ${shownTextOf(fields, 'refusalReason')}`.trim() };
}

function pspReferenceOf(fields: Fields): string {
  const text = textOf(fields, 'pspReference');
  return /^[A-Za-z0-9]{1,32}$/.test(text) ? text : '';
}

/** Returns a string such as `visa 1111` from the fields that Adyen sends. */
function payerAccountOf(fields: Fields): string {
  const brand = shownTextOf(asFields(fields['paymentMethod']), 'brand');
  return payerAccount(brand, asFields(fields['additionalData']));
}

export function payerAccount(brand: string, additionalData: Fields | undefined): string {
  const lastFour = textOf(additionalData, 'cardSummary');
  return `${brand} ${/^\d{4}$/.test(lastFour) ? lastFour : ''}`.trim();
}

function readAction(resultCode: string, fields: Fields, { number, simulated }: ReadingParts): KeptStep | undefined {
  const action = asFields(fields['action']);
  const paymentData = textOf(action, 'paymentData') || textOf(fields, 'threeDSPaymentData');
  const token = unpack(textOf(action, 'token'));
  const serverTransId = textOf(token, 'threeDSServerTransID');
  const common = { number, paymentData };
  switch (`${resultCode} ${textOf(action, 'type')} ${textOf(action, 'subtype')}`.trim()) {
    case 'IdentifyShopper threeDS2 fingerprint': {
      const url = pageAddress(textOf(token, 'threeDSMethodUrl'), simulated) ?? '';
      return paymentData === '' ? undefined : { stage: 'fingerprint', ...common, url, serverTransId };
    }
    case 'ChallengeShopper threeDS2 challenge': {
      const url = pageAddress(textOf(token, 'acsURL'), simulated);
      const acsTransId = textOf(token, 'acsTransID');
      const messageVersion = textOf(token, 'messageVersion');
      if (!url || !serverTransId || !acsTransId || !messageVersion) return undefined;
      const authorisationToken = textOf(action, 'authorisationToken');
      return { stage: 'challenge', ...common, url, serverTransId, acsTransId, messageVersion, authorisationToken };
    }
    case 'RedirectShopper redirect': {
      const url = pageAddress(textOf(action, 'url'), simulated);
      const data = textOf(action, 'method') === 'POST' ? formFields(action?.['data']) : null;
      return url && data !== undefined ? { stage: 'redirect', ...common, url, data } : undefined;
    }
    default:
      return undefined;
  }
}

function pageAddress(text: string, simulated: boolean): string | undefined {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || (simulated && protocol === 'http:') ? text : undefined;
}

function formFields(data: unknown): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(asFields(data) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

const LONGEST_KEY = 64;

/** Adyen executes requests with the same `idempotencyKey` once, and repeats the first response. */
export function requestHeaders(apiKey: Secret, idempotencyKey: string): Readonly<Record<string, string>> {
  invariant(idempotencyKey !== '' && idempotencyKey.length <= LONGEST_KEY, 'idempotency key is not 1 to 64 characters');
  return {
    'content-type': 'application/json',
    'x-api-key': apiKey.reveal(),
    'idempotency-key': idempotencyKey,
  };
}

/**
 * The decimals that Adyen uses for these currencies: two each, as in ISO 4217. Confirmed by Adyen's page of currencies, and by
 * the list of exceptions in its browser library, which lists none of them. Adyen differs from ISO 4217 elsewhere, as in CLP.
 */
const ADYEN_DECIMALS: Readonly<Partial<Record<Currency, number>>> = {
  AZN: 2,
  BRL: 2,
  EUR: 2,
  INR: 2,
  KZT: 2,
  MXN: 2,
  UAH: 2,
  USD: 2,
};

export const ADYEN_CURRENCIES: ReadonlySet<Currency> = new Set(Object.keys(ADYEN_DECIMALS).filter(isCurrency));

/** Reads Adyen's `{ currency, value }`. Undefined if it is not an amount in a currency that we support. */
export function moneyOf(value: unknown): Money | undefined {
  const fields = asFields(value);
  const currency = textOf(fields, 'currency');
  const minor = textOf(fields, 'value');
  if (!isCurrency(currency) || !ADYEN_CURRENCIES.has(currency) || !/^\d{1,15}$/.test(minor)) return undefined;
  return { currency, minor: BigInt(minor) };
}

/** Converts our money to Adyen's amount, for `JSON.stringify`. */
export function adyenAmount({ currency, minor }: Money): { readonly currency: Currency; readonly value: number } {
  return { currency, value: Number(minor) };
}
