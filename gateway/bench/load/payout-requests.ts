/** The measured payout: method 1, to a card, one hryvnia, with each merchant in turn. */
import { md5Sign } from '../../src/protocol/signatures/merchant-signature.ts';
import { BENCH_KEY, merchantOf } from '../stage/bench-merchants.ts';
import { payoutIdOf } from './payout-ids.ts';
import { rawPost } from './raw-post.ts';
import type { Verdict } from './run-load.ts';

const PAYOUT_PATH = '/merchant/api/payout_send';

function payoutFields(merchant: string, payoutId: string) {
  return {
    merchant,
    method: '1',
    payout_id: payoutId,
    account: '5555555555554444',
    amount: '1.00',
    currency: 'UAH',
  };
}

export function signedPayout(url: URL, merchant: string, payoutId: string): Buffer {
  const fields = payoutFields(merchant, payoutId);
  return rawPost(url, PAYOUT_PATH, JSON.stringify({ ...fields, sign: md5Sign(fields, BENCH_KEY) }));
}

export function payoutRequest(url: URL, index: number, merchants: number): Buffer {
  return signedPayout(url, merchantOf(index, merchants), payoutIdOf(index));
}

/**
 * Good means that the gateway accepted the payout. Shed means that it rejected the payout before any attempt, in the
 * documented envelope.
 */
export function judgePayout(status: number, text: string): Verdict {
  if (status === 200 && text.includes('"status":"Pending"')) return 'good';
  return status === 429 && text.includes('"status":"Error"') ? 'shed' : 'bad';
}
