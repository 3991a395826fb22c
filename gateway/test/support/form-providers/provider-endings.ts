/** What the providers' cases share: how to pay at each, and the final states of a payment. */
import { madeUpCard } from '../../../../rail-simulators/src/adyen/cards.ts';
import { sign } from '../../../../rail-simulators/src/trustly/signature.ts';
import type { TrustlyProvider } from '../../../src/rails/trustly/form-provider-under-test.ts';
import { type FormVisit, failed, open, PAID, type Standing } from './form-visit.ts';

/** Adyen reports only that the payment is pending. */
export const PENDING_CARD = madeUpCard('1', '03');
export const PENDING_REFUSED_CARD = madeUpCard('1', '04');

/** Pays in a way that makes the provider send a notification. */
export async function pay(visit: FormVisit, behaviour?: string): Promise<void> {
  if (visit.rail === 'adyen') return void (await visit.submit(PENDING_CARD));
  await visit.submit();
  await visit.act(behaviour);
}

export const held = (mismatch: string, amount = '10.50'): Standing => ({
  ...open('paid'),
  money: [`held ${mismatch} ${amount}`],
  suspense: amount,
  charges: 1,
});

/** A payment that is paid in full, and then a second time. */
export const PAID_TWICE: Standing = {
  ...PAID,
  money: ['credited 10.50', 'held twice 10.50'],
  suspense: '10.50',
  charges: 2,
};

/** The deposit failed with a callback before the money arrived. */
export const heldLate = (reason: string): Standing => ({
  ...failed(reason, 'paid'),
  money: ['held late 10.50'],
  suspense: '10.50',
  charges: 1,
});

interface TrustlyNames {
  readonly orderId: string;
  readonly messageId: string;
}

/** Notifies the gateway of a credit with a valid Trustly signature. Returns the response status. */
export function notifyCredit(
  { tapped }: FormVisit,
  { key }: TrustlyProvider,
  { orderId, messageId }: TrustlyNames,
): Promise<number> {
  const about = { orderid: orderId, messageid: messageId, enduserid: 'somebody', notificationid: '999' };
  const data = {
    ...about,
    amount: '10.50',
    currency: 'EUR',
    timestamp: '2026-11-20 12:00:00.000000+00',
    attributes: {},
  };
  const call = { method: 'credit', uuid: '258a2184-2842-b485-25ca-293525152425', data };
  const signature = sign(call, key, 'RS256');
  const body = JSON.stringify({ method: call.method, params: { signature, uuid: call.uuid, data }, version: '1.1' });
  return tapped.send({ path: '/rail-notifications/trustly', headers: { 'content-type': 'application/json' }, body });
}
