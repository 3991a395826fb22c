/** The measured payout: method 9, a card, one euro, for merchants in turn, each request ready to be sent. */
import { md5Sign } from '../src/protocol/signatures/md5-sign.ts';
import { BENCH_KEY, merchantOf } from './bench-merchants.ts';
import { rawPost } from './http-load.ts';

let next = 0;

/** Requests for payouts that were never sent before. */
export function signedPayouts(url: URL, count: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const index = next++;
    const fields = {
      merchant: merchantOf(index),
      method: '9',
      payout_id: `B${index}`,
      account: '5555555555554444',
      amount: '1.00',
      currency: 'EUR',
    };
    return rawPost(url, '/merchant/api/payout_send', JSON.stringify({ ...fields, sign: md5Sign(fields, BENCH_KEY) }));
  });
}

/** A payout that was taken: anything else does not count. */
export function isAccepted(status: number, body: string): boolean {
  return status === 200 && body.includes('"status":"Pending"');
}
