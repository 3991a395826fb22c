/**
 * What Trustly tells on its own account, and what it must be answered. Pure: no network, no clock.
 *
 * Confirmed by Trustly's documents: the fields of credit, debit, pending, cancel and account; a credit is money, a pending is
 * not yet; a debit after a credit says that the money never came (after 3 to 10 bank days); a cancel comes after 10 to 30
 * minutes without an act, when the payer closes the page, when something breaks, or when a pending payment never settled;
 * the answer with the same UUID and method, `status` OK, signed; what is not so answered comes again under the same
 * notificationid, at growing intervals, until it is. New fields may come at any time, and are covered by the signature. By a
 * recorded, signed credit: its fields, and an amount as text. Not confirmed: whether one order can be credited more than
 * once (each credit has its notificationid, by which this is told apart from a repetition); what is told of a Refund: an
 * order's payoutconfirmation is taken note of, and a payoutfailed is not acknowledged, so that somebody sees it.
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
  /** The same whenever the same thing is told again, and for nothing else. */
  readonly notificationId: string;
}

export type Told =
  | (AboutOrder & { readonly kind: 'credit' | 'debit'; readonly money: Money })
  | (AboutOrder & { readonly kind: 'pending' })
  | (AboutOrder & { readonly kind: 'cancel'; readonly reason: string })
  /** Told beside the money: from which account it comes, who the payer is, that a refund has left. */
  | (AboutOrder & { readonly kind: 'account' | 'kyc' | 'payoutconfirmation' });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MESSAGE_ID = /^[\x21-\x7e]{1,64}$/;
const NUMBER = /^\d{1,20}$/;

/** The envelope; the error names what is missing. Nothing in it is proved before its signature is. */
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

/** What a message says whose signature has been proved; the error names the first field at fault. */
export function readTold({ method, data }: Signed): Result<Told, string> {
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
 * Whether the signed text can be cut into its fields in one way. A merchant of Trustly's can have it sign a credit whose
 * EndUserID holds the fields of somebody else's order; cut elsewhere, that is a credit of that order, under the same
 * signature. Then the names stand in it twice, which they never do in what is told of an order of ours.
 */
function isCutOnce(data: Json): boolean {
  const text = serialise(data);
  return ['messageid', 'notificationid', 'orderid'].every((name) => text.split(name).length === 2);
}

/** Other currencies are none of ours. */
function moneyOf(fields: JsonObject): Money | undefined {
  return textOf(fields, 'currency') === 'EUR' ? amountOf(textOf(fields, 'amount'), 'EUR') : undefined;
}

function reasonOf(fields: JsonObject): string {
  const reason = textOf(asObject(fields['attributes']) ?? {}, 'reason');
  return /^\w{1,60}$/.test(reason) ? reason : '';
}
