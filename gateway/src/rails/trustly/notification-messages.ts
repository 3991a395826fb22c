/**
 * Parses Trustly's notifications and writes the responses. Pure: no network, no clock.
 *
 * Confirmed by Trustly's documents: the fields of credit, debit, pending, cancel and account. A credit is money, and a pending
 * is not yet. A debit after a credit says that the money never came (after 3 to 10 bank days). A cancel comes after 10 to 30
 * idle minutes, when the payer closes the page, after a fault, or when a pending payment never settled. The response has the
 * same UUID and method, `status` OK, and a signature. Otherwise Trustly repeats the notification with the same notificationid
 * at growing intervals. New fields may come at any time, and the signature covers them. Confirmed by a recorded, signed
 * credit: its fields, and an amount as text.
 *
 * Not confirmed: whether Trustly can credit one order more than once. Each credit has its notificationid, which distinguishes
 * it from a repeated notification. Not confirmed: the notifications of a Refund. The gateway acknowledges an order's
 * payoutconfirmation. It does not acknowledge a payoutfailed, so that the operator sees it.
 */
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { amountOf, asObject, type Json, type JsonObject, readObject, textOf } from '../kit/provider-json.ts';
import { type Signed, serialise } from './signature.ts';

export interface IncomingMessage {
  readonly signed: Signed;
  readonly signature: string;
}

interface AboutOrder {
  /** Our MessageID. */
  readonly messageId: string;
  readonly orderId: string;
  /** An id that is equal for each repeat of a notification, and unique otherwise. */
  readonly notificationId: string;
}

export type TrustlyNotification =
  | (AboutOrder & { readonly kind: 'credit' | 'debit'; readonly money: Money })
  | (AboutOrder & { readonly kind: 'pending' })
  | (AboutOrder & { readonly kind: 'cancel'; readonly reason: string })
  /** Notifications that do not report incoming money: the payer's account, the payer's identity, and a refund that left. */
  | (AboutOrder & { readonly kind: 'account' | 'kyc' | 'payoutconfirmation' });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MESSAGE_ID = /^[\x21-\x7e]{1,64}$/;
const NUMBER = /^\d{1,20}$/;

/** Parses the envelope. The error names the missing field. Nothing in it is authenticated before its signature is verified. */
export function readMessage(body: Buffer): Result<IncomingMessage, string> {
  const message = readObject(body);
  if (!message) return fail('the body is not a JSON object');
  const params = asObject(message['params']) ?? {};
  const data = asObject(params['data']);
  const [method, uuid] = [textOf(message, 'method'), textOf(params, 'uuid')];
  if (!/^[a-z]{1,40}$/.test(method)) return fail('method');
  if (!UUID.test(uuid)) return fail('uuid');
  if (!data) return fail('data');
  return ok({ signed: { method, uuid, data }, signature: textOf(params, 'signature') });
}

/** Parses the content of a message with a verified signature. The error names the first invalid field. */
export function readNotification({ method, data }: Signed): Result<TrustlyNotification, string> {
  const fields = asObject(data) ?? {};
  if (!isCutOnce(data)) return fail('data');
  const about = {
    messageId: textOf(fields, 'messageid'),
    orderId: textOf(fields, 'orderid'),
    notificationId: textOf(fields, 'notificationid'),
  };
  if (!MESSAGE_ID.test(about.messageId)) return fail('messageid');
  if (!NUMBER.test(about.orderId)) return fail('orderid');
  if (!NUMBER.test(about.notificationId)) return fail('notificationid');
  switch (method) {
    case 'credit':
    case 'debit': {
      const money = moneyOf(fields);
      return money ? ok({ ...about, kind: method, money }) : fail('amount');
    }
    case 'pending':
      return ok({ ...about, kind: method });
    case 'cancel':
      return ok({ ...about, kind: method, reason: reasonOf(fields) });
    case 'account':
    case 'kyc':
    case 'payoutconfirmation':
      return ok({ ...about, kind: method });
    default:
      return fail('method');
  }
}

/**
 * Returns true if the signed string has exactly one parse. Trustly signs the concatenated fields. Another merchant of Trustly
 * could put the fields of our order into an EndUserID, and reuse the signature for a credit of that order. Such a text contains
 * each field name twice; a genuine notification never does.
 */
function isCutOnce(data: Json): boolean {
  const text = serialise(data);
  return ['messageid', 'notificationid', 'orderid'].every((name) => text.split(name).length === 2);
}

/** Returns undefined for every currency other than the euro. */
function moneyOf(fields: JsonObject): Money | undefined {
  return textOf(fields, 'currency') === 'EUR' ? amountOf(textOf(fields, 'amount'), 'EUR') : undefined;
}

function reasonOf(fields: JsonObject): string {
  const reason = textOf(asObject(fields['attributes']) ?? {}, 'reason');
  return /^\w{1,60}$/.test(reason) ? reason : '';
}
