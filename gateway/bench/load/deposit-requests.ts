/** The measured deposit: a hundred pesos by interbank transfer, with each merchant in turn. */
import { CREATE_DEPOSIT_PATH } from '../../src/protocol/host2host/host-to-host-routes.ts';
import { xSign } from '../../src/protocol/signatures/merchant-signature.ts';
import { BENCH_KEY, merchantOf } from '../stage/bench-merchants.ts';
import { rawPost } from './raw-post.ts';
import type { Verdict } from './run-load.ts';

export const DEPOSIT_AMOUNT = '100.00';

export function depositRequest(url: URL, index: number, merchants: number): Buffer {
  const body = JSON.stringify({
    order: `N${index}`,
    amount: DEPOSIT_AMOUNT,
    currency: 'MXN',
    user_id: `u${index}`,
    first_name: 'José',
    last_name: 'Muñoz García',
  });
  const headers = { 'X-Merchant': merchantOf(index, merchants), 'X-Sign': xSign(Buffer.from(body), BENCH_KEY) };
  return rawPost(url, CREATE_DEPOSIT_PATH, body, headers);
}

/** Judges a response. It is good if the gateway created the deposit. */
export function judgeDeposit(status: number, text: string): Verdict {
  if (status === 200 && text.includes('"description":"Created"')) return 'good';
  return status === 429 ? 'shed' : 'bad';
}
