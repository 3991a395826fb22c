/** Adyen's responses in the form of Checkout v72. */
import type { Reply } from '../kernel/http-server.ts';
import type { BookEntry } from './book.ts';
import { REFUSAL_REASONS } from './cards.ts';
import type { PaymentResult } from './processing.ts';
import type { ServiceError } from './requests.ts';
import { type Authentication, MESSAGE_VERSION, toBase64 } from './three-d-secure.ts';

export function errorReply(error: ServiceError): Reply {
  return { status: error.status, body: error };
}

/** `pages` is the base URL of the bank pages. */
export function paymentReply(result: PaymentResult, pages: string): Reply {
  switch (result.kind) {
    case 'decided':
      return { status: 200, body: decided(result.entry, result.resultCode) };
    case 'authenticate':
      return { status: 200, body: actionOf(result.authentication, pages) };
    case 'silent':
      return 'never';
  }
}

function decided(entry: BookEntry, resultCode: string): object {
  const { pspReference, reference, currency, value, brand, lastFour, refusalCode } = entry;
  const isRefused = entry.state === 'refused';
  return {
    pspReference,
    resultCode,
    merchantReference: reference,
    amount: { currency, value },
    additionalData: { cardSummary: lastFour },
    ...(isRefused
      ? { refusalReason: REFUSAL_REASONS[refusalCode] ?? 'Refused', refusalReasonCode: refusalCode }
      : { paymentMethod: { brand, type: 'scheme' } }),
  };
}

function actionOf(authentication: Authentication, pages: string): object {
  const { pspReference, stage, redirectId, paymentData, authorisationToken } = authentication;
  const native = { type: 'threeDS2', paymentMethodType: 'scheme', paymentData, authorisationToken };
  switch (stage) {
    case 'fingerprint':
      return {
        resultCode: 'IdentifyShopper',
        action: { ...native, subtype: 'fingerprint', token: fingerprintToken(authentication, pages) },
      };
    case 'challenge':
      return {
        resultCode: 'ChallengeShopper',
        action: { ...native, subtype: 'challenge', token: challengeToken(authentication, pages) },
      };
    default:
      return {
        resultCode: 'RedirectShopper',
        pspReference,
        action: {
          type: 'redirect',
          paymentMethodType: 'scheme',
          method: 'GET',
          url: `${pages}/three-d-secure/redirect/${redirectId}`,
        },
      };
  }
}

function fingerprintToken({ serverTransId, notificationUrl, hasMethod }: Authentication, pages: string): string {
  return toBase64({
    threeDSMessageVersion: MESSAGE_VERSION,
    threeDSMethodNotificationURL: notificationUrl,
    ...(hasMethod ? { threeDSMethodUrl: `${pages}/three-d-secure/method` } : {}),
    threeDSServerTransID: serverTransId,
  });
}

function challengeToken({ serverTransId, acsTransId, notificationUrl }: Authentication, pages: string): string {
  return toBase64({
    acsTransID: acsTransId,
    acsURL: `${pages}/three-d-secure/challenge`,
    messageVersion: MESSAGE_VERSION,
    threeDSNotificationURL: notificationUrl,
    threeDSServerTransID: serverTransId,
  });
}
