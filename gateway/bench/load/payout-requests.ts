/** The measured payout: method 9, a card, one euro, for merchants in turn. */
import { createHash } from 'node:crypto';
import { md5Sign } from '../../src/protocol/signatures/md5-sign.ts';
import { BENCH_KEY, merchantOf } from '../stage/bench-merchants.ts';
import { rawPost } from './raw-post.ts';
import type { Verdict } from './run-load.ts';

export const PAYOUT_PATH = '/merchant/api/payout_send';

/**
 * Merchants number their payouts in one of two ways: in sequence, or by UUIDs. Here those with an even number do the
 * former and the others the latter, since an index takes the two very differently.
 */
export function payoutIdOf(index: number, merchants: number): string {
  return (index % merchants) % 2 === 0 ? sequentialId(index) : uuidLike(index);
}

function sequentialId(index: number): string {
  return `P${String(index).padStart(12, '0')}`;
}

function uuidLike(index: number): string {
  const hex = createHash('md5').update(String(index)).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function payoutFields(merchant: string, payoutId: string) {
  return {
    merchant,
    method: '9',
    payout_id: payoutId,
    account: '5555555555554444',
    amount: '1.00',
    currency: 'EUR',
  };
}

export function signedPayout(url: URL, merchant: string, payoutId: string): Buffer {
  const fields = payoutFields(merchant, payoutId);
  return rawPost(url, PAYOUT_PATH, JSON.stringify({ ...fields, sign: md5Sign(fields, BENCH_KEY) }));
}

export function payoutRequest(url: URL, index: number, merchants: number): Buffer {
  return signedPayout(url, merchantOf(index, merchants), payoutIdOf(index, merchants));
}

/** Good: a payout that was taken. Shed: refused before anything was attempted, in the documented envelope. */
export function judgePayout(status: number, text: string): Verdict {
  if (status === 200 && text.includes('"status":"Pending"')) return 'good';
  return status === 429 && text.includes('"status":"Error"') ? 'shed' : 'bad';
}
