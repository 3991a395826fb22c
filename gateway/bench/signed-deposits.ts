/** The measured deposit: a hundred pesos by interbank transfer, for merchants in turn, each request ready to be sent. */
import { CREATE_DEPOSIT_PATH } from '../src/protocol/host2host/host-to-host-routes.ts';
import { xSign } from '../src/protocol/signatures/x-sign.ts';
import { BENCH_KEY, merchantOf } from './bench-merchants.ts';
import { rawPost } from './http-load.ts';

export const DEPOSIT_AMOUNT = '100.00';

let next = 0;

/** Requests for deposits whose orders were never sent before. */
export function signedDeposits(url: URL, count: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const index = next++;
    const body = JSON.stringify({
      order: `N${index}`,
      amount: DEPOSIT_AMOUNT,
      currency: 'MXN',
      user_id: `u${index}`,
      first_name: 'José',
      last_name: 'Muñoz García',
    });
    const headers = { 'X-Merchant': merchantOf(index), 'X-Sign': xSign(Buffer.from(body), BENCH_KEY) };
    return rawPost(url, CREATE_DEPOSIT_PATH, body, headers);
  });
}

/** A deposit that was created: anything else does not count. */
export function isCreated(status: number, body: string): boolean {
  return status === 200 && body.includes('"description":"Created"');
}
