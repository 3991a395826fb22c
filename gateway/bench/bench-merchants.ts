/** The merchants of a benchmark: so many that no one balance is its bottleneck, all with one key. */
import { Secret } from '../src/foundation/secret.ts';
import type { Gateway } from '../src/main/compose.ts';

export const BENCH_KEY = new Secret('bench-key-0123456789-0123456789-0123456789');
export const MERCHANTS = 100;
const FUNDS = 10n ** 13n;

/** In turn. */
export const merchantOf = (index: number) => `bench-${index % MERCHANTS}`;

/** Makes the merchants, with money for payouts and an address for their callbacks. */
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
