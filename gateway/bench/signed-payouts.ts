/** The measured payout: method 9, a card, one euro, for merchants in turn, each request ready to be sent. */
import { Secret } from '../src/foundation/secret.ts';
import type { Gateway } from '../src/main/compose.ts';
import { md5Sign } from '../src/protocol/signatures/md5-sign.ts';
import { rawPost } from './http-load.ts';

export const BENCH_KEY = new Secret('bench-key-0123456789-0123456789-0123456789');
const MERCHANTS = 100;
const FUNDS = 10n ** 13n;

const merchantOf = (index: number) => `bench-${index % MERCHANTS}`;

/** Makes the merchants, with money and an address for their callbacks. */
export async function prepareMerchants({ operations }: Gateway, processUrl: string): Promise<void> {
  for (let index = 0; index < MERCHANTS; index++) {
    const merchantId = merchantOf(index);
    const made = await operations.merchants.create({
      merchantId,
      profile: { processUrl },
      settings: {},
      key: BENCH_KEY,
    });
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    await operations.moveFunds('credit', merchantId, { currency: 'EUR', minor: FUNDS }, 'bench', 'benchmark');
  }
}

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
