/** The keys, settings and funds of the merchants in a run. */
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import type { Currency } from '../../src/foundation/currency.ts';
import { Secret } from '../../src/foundation/secret.ts';

export const KEY = 'key-of-the-simulation-0123456789-0123456789';
export const FORM_KEY = 'form-key-of-the-simulation-0123456789-01234';

type Operations = Pick<GatewayOperations, 'merchants' | 'funds'>;

const PLENTY = 10n ** 12n;
/** The default funds of every second merchant, in minor units. */
export const SCARCE = 20_000;
const FUNDED: readonly Currency[] = ['AZN', 'CAD', 'EUR', 'INR', 'KZT', 'UAH', 'USD'];

/** The policy of every third merchant: payouts above a limit need approval. */
const APPROVED = {
  approval_hours: '4',
  ...Object.fromEntries(FUNDED.map((currency) => [`approval_above.${currency}`, '20.00'])),
};

export async function createMerchant(operations: Operations, id: string, index: number, scarce: bigint): Promise<void> {
  const made = await operations.merchants.create({
    merchantId: id,
    profile: { processUrl: `https://${id}.example/callback`, eventUrl: `https://${id}.example/event` },
    settings: index % 3 === 1 ? APPROVED : {},
    key: new Secret(KEY),
    formKey: new Secret(FORM_KEY),
  });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  // Every second merchant occasionally runs out of money.
  await fund(operations, id, index % 2 === 0 ? PLENTY : scarce, 'start');
}

export async function topUp(operations: Operations, id: string, reference: string, scarce: bigint): Promise<void> {
  await fund(operations, id, scarce, reference);
}

async function fund({ funds }: Operations, id: string, minor: bigint, reference: string): Promise<void> {
  for (const currency of FUNDED)
    await funds.move('credit', id, { currency, minor }, `${reference}-${currency}`, 'simulated');
}
