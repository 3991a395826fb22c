/**
 * The client's JSON-RPC calls: Trustly's checks before it processes one, and the envelopes of its responses. It is stateless;
 * processing.ts processes the calls.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { toCents } from '../kernel/amounts.ts';
import { asFields, type Fields, isHttpUrl, parseKeepingNumbers, textOf } from '../kernel/fields.ts';
import { type Call, type Hash, isSigned, sign, signedText } from './signature.ts';

/** The client's account at Trustly. */
export interface Client {
  readonly username: string;
  readonly password: string;
  /** Returns the client's registered key. Called for every call. */
  readonly findPublicKey: () => KeyObject | undefined;
}

/** Trustly's error numbers and messages. */
const ERRORS = {
  602: 'ERROR_FUNCTION_ACCESS_DENIED',
  615: 'ERROR_INVALID_AMOUNT',
  616: 'ERROR_INVALID_CREDENTIALS',
  620: 'ERROR_UNKNOWN',
  622: 'ERROR_INVALID_CURRENCY_CODE',
  623: 'ERROR_INVALID_PARAMETERS',
  636: 'ERROR_UNABLE_TO_VERIFY_RSA_SIGNATURE',
  637: 'ERROR_DUPLICATE_MESSAGE_ID',
  638: 'ERROR_ENDUSER_IS_BLOCKED',
  639: 'ERROR_NO_PUBLIC_KEY',
} as const;
export type ErrorCode = keyof typeof ERRORS;

export interface CheckedCall {
  readonly method: string;
  readonly uuid: string;
  /** A fingerprint of the entire call. */
  readonly fingerprint: string;
  readonly data: Fields;
}

/** `method` and `uuid` are null for an unreadable call. */
export type Checked =
  | { readonly call: CheckedCall }
  | { readonly error: ErrorCode; readonly method: string | null; readonly uuid: string | null };

const UUID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function checkCall(body: Buffer, client: Client): Checked {
  const message = parseKeepingNumbers(body) ?? {};
  const params = asFields(message['params']);
  const [method, uuid] = [textOf(message, 'method'), textOf(params, 'UUID')];
  if (method === '' || !UUID_FORM.test(uuid)) return { error: 623, method: null, uuid: null };
  const data = asFields(params['Data']);
  const refused = (error: ErrorCode): Checked => ({ error, method, uuid });
  if (textOf(data, 'Username') !== client.username || textOf(data, 'Password') !== client.password) return refused(616);
  const key = client.findPublicKey();
  if (key === undefined) return refused(639);
  const call: Call = { method, uuid, data };
  if (!isSigned(call, params['Signature'], key)) return refused(636);
  const fingerprint = createHash('sha256').update(signedText(call)).digest('hex');
  return { call: { method, uuid, fingerprint, data } };
}

export interface DepositRequest {
  readonly messageId: string;
  readonly endUserId: string;
  readonly payer: string;
  readonly amount: string;
  readonly statement: string;
  readonly notificationUrl: string;
  readonly successUrl: string;
  readonly failUrl: string;
  readonly urlTarget: string;
}

const NEEDED = ['Country', 'Locale', 'Currency', 'Firstname', 'Lastname', 'Email', 'ShopperStatement'] as const;
const isAmount = (text: string) => /\.\d\d$/.test(text) && toCents(text) !== undefined;

export function readDeposit(data: Fields): DepositRequest | ErrorCode {
  const attributes = asFields(data['Attributes']);
  const a = (name: string) => textOf(attributes, name);
  const [notificationUrl, messageId, endUserId] = [
    textOf(data, 'NotificationURL'),
    textOf(data, 'MessageID'),
    textOf(data, 'EndUserID'),
  ];
  const isComplete = NEEDED.every((name) => a(name) !== '') && messageId !== '' && endUserId !== '';
  const areAddresses = [notificationUrl, a('SuccessURL'), a('FailURL')].every(isHttpUrl);
  if (!isComplete || !areAddresses || notificationUrl.includes('?')) return 623;
  if (!/^[a-z]{2}_[A-Z]{2}$/.test(a('Locale')) || !/^[A-Z]{2}$/.test(a('Country'))) return 623;
  if (!['', '_top', '_self', '_parent'].includes(a('URLTarget'))) return 623;
  if (a('Currency') !== 'EUR') return 622;
  if (!isAmount(a('Amount'))) return 615;
  return {
    messageId,
    endUserId,
    payer: `${a('Firstname')} ${a('Lastname')}`,
    amount: a('Amount'),
    statement: a('ShopperStatement'),
    notificationUrl,
    successUrl: a('SuccessURL'),
    failUrl: a('FailURL'),
    urlTarget: a('URLTarget') === '' ? '_self' : a('URLTarget'),
  };
}

export interface RefundRequest {
  readonly orderId: string;
  readonly amount: string;
  /** The client's ExternalReference. */
  readonly reference: string;
}

export function readRefund(data: Fields): RefundRequest | ErrorCode {
  const [orderId, amount] = [textOf(data, 'OrderID'), textOf(data, 'Amount')];
  if (orderId === '' || !('Attributes' in data)) return 623;
  if (textOf(data, 'Currency') !== 'EUR') return 622;
  const reference = textOf(asFields(data['Attributes']), 'ExternalReference');
  return isAmount(amount) ? { orderId, amount, reference } : 615;
}

/** Returns the date of the settlement. */
export function readSettlement(data: Fields): string | ErrorCode {
  const date = textOf(data, 'SettlementDate');
  const version = textOf(asFields(data['Attributes']), 'APIVersion');
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && version === '1.2' && 'Currency' in data ? date : 623;
}

export interface LedgerRequest {
  readonly from: string;
  /** The exclusive end. */
  readonly to: string;
}

export function readLedger(data: Fields): LedgerRequest | ErrorCode {
  const [from, to] = [textOf(data, 'FromDate'), textOf(data, 'ToDate')];
  const areDates = [from, to].every((date) => /^\d{4}-\d{2}-\d{2}$/.test(date));
  return areDates && 'Currency' in data ? { from, to } : 623;
}

export interface Signer {
  readonly privateKey: KeyObject;
  readonly hash: Hash;
}

export function resultOf({ method, uuid }: CheckedCall, data: unknown, { privateKey, hash }: Signer): object {
  const signature = sign({ method, uuid, data }, privateKey, hash);
  return { version: '1.1', result: { signature, uuid, method, data } };
}

export function errorOf(
  code: ErrorCode,
  { method, uuid }: { readonly method: string | null; readonly uuid: string | null },
  { privateKey, hash }: Signer,
): object {
  const message = ERRORS[code];
  const data = { code, message };
  const signature = sign({ method: method ?? '', uuid: uuid ?? '', data }, privateKey, hash);
  return { version: '1.1', error: { name: 'JSONRPCError', code, message, error: { signature, uuid, method, data } } };
}
