/**
 * Writes the requests to Adyen: a payment with raw card data or a wallet's token, the result of the payer's step, and a
 * refund. Pure. Only this file reveals the card, while it writes the request.
 *
 * Confirmed by Adyen's OpenAPI description of Checkout v72: every field and its limits. `billingAddress` requires all
 * of its fields. Visa and JCB require an email address or a telephone number for 3-D Secure. The examples of
 * `/payments/details` and refunds also come from it. Confirmed by Adyen's browser library: the contents of
 * `threeds2.fingerprint` and `threeDSResult`, and that the latter goes without `paymentData`.
 *
 * Not confirmed: that `captureDelayHours` 0 overrides an account with manual capture. Not confirmed: how Adyen treats a
 * browser whose screen is unknown. Not confirmed: that webhooks carry our references whole although they contain a
 * hyphen, by which Adyen separates several references of one payment.
 */
import type {
  PayerBrowser,
  PaymentCard,
  PaymentOrder,
  PaymentPayer,
  RefundOrder,
} from '../../domain/payments/payment-rail.ts';
import type { WalletPayment } from '../../domain/payments/wallet.ts';
import { invariant } from '../../foundation/invariant.ts';
import { asciiText } from '../kit/latin-text.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { packBase64 } from './base64url-json.ts';
import type { AdyenConfiguration } from './configuration.ts';
import type { KeptStep } from './kept-step.ts';
import { adyenAmount } from './protocol.ts';
import {
  CHALLENGE_WINDOW,
  type MethodCompletion,
  readChallengeResult,
  readMethodCompletion,
} from './three-d-secure.ts';
import { walletFields } from './wallets.ts';

export const PAYMENTS_PATH = '/payments';
export const DETAILS_PATH = '/payments/details';
export const refundsPath = (pspReference: string) => `/payments/${encodeURIComponent(pspReference)}/refunds`;

type Account = Pick<AdyenConfiguration, 'merchantAccount'>;

export function writePayment(
  order: PaymentOrder,
  means: PaymentCard | WalletPayment,
  { merchantAccount }: Account,
): string {
  const { payer } = order;
  return JSON.stringify({
    merchantAccount,
    reference: order.reference,
    amount: adyenAmount(order.money),
    captureDelayHours: 0,
    channel: 'Web',
    shopperInteraction: 'Ecommerce',
    returnUrl: order.returnUrl,
    origin: new URL(order.returnUrl).origin,
    redirectFromIssuerMethod: 'GET',
    authenticationData: {
      threeDSRequestData: {
        // Without JavaScript, the payer's browser cannot post the forms of a native flow. Adyen's own page does it then.
        nativeThreeDS: payer.browser.hasJavaScript ? 'preferred' : 'disabled',
        challengeWindowSize: CHALLENGE_WINDOW,
      },
    },
    threeDS2RequestData: { notificationURL: order.returnUrl },
    browserInfo: browserInfo(payer.browser, payer.language),
    ...payerFields(payer),
    shopperStatement: statementText(order.merchantName),
    paymentMethod: 'wallet' in means ? walletFields(means) : cardFields(means),
  });
}

function cardFields({ number, cvv, expiry, holder }: PaymentCard) {
  const [, month, year] = /^(\d\d)\/(\d\d)$/.exec(expiry.reveal()) ?? [];
  invariant(month && year, 'expiry date is not mm/yy');
  return {
    type: 'scheme',
    number: number.reveal(),
    cvc: cvv.reveal(),
    expiryMonth: month,
    expiryYear: `20${year}`,
    ...whereGiven({ holderName: holder }),
  };
}

/** Adyen requires every one of these fields. An unknown browser is described as a common one. */
function browserInfo(browser: PayerBrowser, language: string) {
  return {
    userAgent: browser.userAgent || 'unknown',
    acceptHeader: browser.acceptHeader || '*/*',
    language,
    screenWidth: browser.screenWidth || 1280,
    screenHeight: browser.screenHeight || 720,
    colorDepth: COLOR_DEPTHS.findLast((depth) => depth <= browser.colorDepth) ?? 24,
    timeZoneOffset: browser.timeZoneOffset,
    javaEnabled: false,
    javaScriptEnabled: browser.hasJavaScript,
  };
}

const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 30, 32, 48] as const;

function payerFields(payer: PaymentPayer) {
  const { firstName, lastName } = payer;
  const address = billingAddress(payer);
  return {
    ...whereGiven({ shopperIP: payer.ip, shopperEmail: payer.email, countryCode: payer.country }),
    ...(/^\+\d{5,18}$/.test(payer.phone) ? { telephoneNumber: payer.phone } : {}),
    ...(firstName && lastName ? { shopperName: { firstName, lastName } } : {}),
    ...(address ? { billingAddress: address } : {}),
  };
}

/** Countries for which Adyen requires the state's code as well. */
const WITH_STATES: ReadonlySet<string> = new Set(['US', 'CA']);

/** Either all parts or none, because Adyen rejects an incomplete address. */
function billingAddress({ address, city, postCode, country, region }: PaymentPayer) {
  const stateOrProvince = /^[A-Za-z0-9]{1,3}$/.test(region) ? region.toUpperCase() : '';
  const isWhole = address && city && postCode && country && (stateOrProvince || !WITH_STATES.has(country));
  if (!isWhole) return undefined;
  const [house = ''] = /(?<![\p{L}\p{N}])\d+[\p{L}\p{N}/-]*/u.exec(address) ?? [];
  const street =
    address
      .replace(house, '')
      .replace(/\s+/g, ' ')
      .replace(/^[\s,]+|[\s,]+$/g, '') || address;
  return {
    street,
    houseNumberOrName: house || 'N/A',
    city,
    postalCode: postCode.slice(0, 10),
    country,
    ...whereGiven({ stateOrProvince }),
  };
}

/** Returns at most 22 of the characters that Adyen allows. Banks cut longer strings. */
function statementText(name: string): string {
  return asciiText(name, /[^A-Za-z0-9 .,'_?+*/-]+/g, 22) || 'Payment';
}

function whereGiven(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

type Fingerprint = Extract<KeptStep, { stage: 'fingerprint' }>;
type Challenge = Extract<KeptStep, { stage: 'challenge' }>;

/** Returns the request that passes a payer's return on. Undefined if the return is not about this step. */
export function writeReturned(step: KeptStep, returned: Readonly<Record<string, string>>): string | undefined {
  switch (step.stage) {
    case 'fingerprint':
      return writeFingerprint(step, readMethodCompletion(returned, step.serverTransId));
    case 'challenge': {
      const transStatus = readChallengeResult(returned, step);
      return transStatus && writeChallengeResult(step, transStatus);
    }
    case 'redirect':
      return writeRedirectResult(step, returned);
  }
}

export function writeFingerprint({ paymentData }: Fingerprint, threeDSCompInd: MethodCompletion): string {
  return JSON.stringify({ paymentData, details: { 'threeds2.fingerprint': packBase64({ threeDSCompInd }) } });
}

export function writeChallengeResult({ paymentData, authorisationToken }: Challenge, transStatus: string): string {
  return JSON.stringify(
    authorisationToken === ''
      ? { paymentData, details: { 'threeds2.challengeResult': packBase64({ transStatus }) } }
      : { details: { threeDSResult: packBase64({ transStatus, authorisationToken }) } },
  );
}

const LONGEST_RESULT = 20_000;

function writeRedirectResult({ paymentData }: KeptStep, returned: Readonly<Record<string, string>>) {
  const { redirectResult = '', MD = '', PaRes = '' } = returned;
  if ([redirectResult, MD, PaRes].some(({ length }) => length > LONGEST_RESULT)) return undefined;
  if (redirectResult) return JSON.stringify({ details: { redirectResult }, ...whereGiven({ paymentData }) });
  return MD && PaRes ? JSON.stringify({ details: { MD, PaRes }, ...whereGiven({ paymentData }) }) : undefined;
}

export function writeRefund({ payment, reference, money }: RefundOrder, { merchantAccount }: Account): string {
  return JSON.stringify({
    merchantAccount,
    amount: adyenAmount(money),
    reference: refundReference(payment.reference, reference),
  });
}

/** Contains the payment's reference, because nothing else in a refund's webhook identifies the payment. */
function refundReference(payment: string, refund: string): string {
  return `${payment}/${refund}`;
}

/** Splits a `merchantReference` into the payment and, if any, the refund. Undefined if the reference is not ours. */
export function readMerchantReference(text: string): { readonly payment: string; readonly refund: string } | undefined {
  const [payment = '', refund, ...more] = text.split('/');
  const isOurs = isOwnReference(payment) && (refund === undefined || isOwnReference(refund)) && more.length === 0;
  return isOurs ? { payment, refund: refund ?? '' } : undefined;
}
