/**
 * The bank's side of EMV 3-D Secure 2.2 in a browser: it reads the posted forms and builds the responses. Adyen, as the 3-D
 * Secure server, receives the bank's result (RReq) directly as `transStatus` and never trusts the browser's copy.
 */
import { asFields, type Fields, parseJson, textOf } from '../kernel/fields.ts';

export type Stage = 'fingerprint' | 'challenge' | 'redirect' | 'done';

export interface AuthenticationIds {
  readonly serverTransId: string;
  readonly acsTransId: string;
  readonly paymentData: string;
  readonly authorisationToken: string;
  readonly redirectId: string;
}

export interface Authentication extends AuthenticationIds {
  readonly pspReference: string;
  /** The URL that receives the CRes. */
  readonly notificationUrl: string;
  readonly returnUrl: string;
  /** True if the bank has a page that collects the fingerprint. */
  readonly hasMethod: boolean;
  stage: Stage;
  /** The bank's result. Null until it has decided. */
  transStatus: 'Y' | 'N' | null;
  wrongCodes: number;
}

export const MESSAGE_VERSION = '2.2.0';
export const RIGHT_CODE = '123456';
export const MOST_WRONG_CODES = 3;

interface MethodRequest {
  readonly serverTransId: string;
  readonly notificationUrl: string;
}

/** Parses `threeDSMethodData`. Returns undefined if it violates the specification. */
export function readMethodRequest(form: URLSearchParams): MethodRequest | undefined {
  const message = readBase64Url(form.get('threeDSMethodData') ?? '');
  const serverTransId = textOf(message, 'threeDSServerTransID');
  const notificationUrl = textOf(message, 'threeDSMethodNotificationURL');
  return serverTransId && /^https?:\/\//.test(notificationUrl) ? { serverTransId, notificationUrl } : undefined;
}

export function writeMethodNotification(serverTransId: string): string {
  return toBase64Url({ threeDSServerTransID: serverTransId });
}

/** Returns the `acsTransID` of a valid CReq for this authentication. */
export function readChallengeRequest(form: URLSearchParams, { serverTransId, acsTransId }: AuthenticationIds): boolean {
  const message = readBase64Url(form.get('creq') ?? '');
  return (
    textOf(message, 'messageType') === 'CReq' &&
    textOf(message, 'messageVersion') === MESSAGE_VERSION &&
    textOf(message, 'threeDSServerTransID') === serverTransId &&
    textOf(message, 'acsTransID') === acsTransId &&
    /^0[1-5]$/.test(textOf(message, 'challengeWindowSize'))
  );
}

export function acsTransIdOf(form: URLSearchParams): string {
  return textOf(readBase64Url(form.get('creq') ?? ''), 'acsTransID');
}

export function writeChallengeResponse({ serverTransId, acsTransId, transStatus }: Authentication): string {
  return toBase64Url({
    threeDSServerTransID: serverTransId,
    acsTransID: acsTransId,
    messageType: 'CRes',
    messageVersion: MESSAGE_VERSION,
    challengeCompletionInd: 'Y',
    transStatus: transStatus ?? 'N',
  });
}

/** Encodes a token in Adyen's format. */
export function toBase64(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64');
}

/** Decodes what a client put into `threeds2.fingerprint`, `threeDSResult` or `threeds2.challengeResult`. */
export function fromBase64(text: string): Fields {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? asFields(parseJson(Buffer.from(text, 'base64'))) : {};
}

const toBase64Url = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64url');

/** Rejects padding, as the specification requires. */
function readBase64Url(text: string): Fields {
  return /^[A-Za-z0-9_-]+$/.test(text) ? asFields(parseJson(Buffer.from(text, 'base64url'))) : {};
}
