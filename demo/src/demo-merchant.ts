/**
 * The demo merchant: created once and funded. Its id and keys are in the data directory for the next start. Only the demo has
 * such a file; the gateway keeps keys sealed and shows them once.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gateway } from '../../gateway/src/main/compose/compose.ts';
import { DemoFailure } from './demo-failure.ts';
import { SHOP_PATH } from './shop/shop.ts';

export interface DemoMerchant {
  readonly merchantId: string;
  readonly key: string;
  readonly formKey: string;
  readonly isNew: boolean;
}

type Operations = Gateway['operations'];

const FUNDED = ['AZN', 'CAD', 'EUR', 'INR', 'KZT', 'UAH', 'USD'] as const;
/** Amounts in minor units. A merchant with less than the first amount is credited the second. */
const TOO_LITTLE = 100_000n;
const GIFT = 1_000_000n;

export async function openDemoMerchant(
  operations: Operations,
  dataDir: string,
  inboxUrl: string,
): Promise<DemoMerchant> {
  const file = join(dataDir, 'demo-merchant.json');
  const shopUrl = inboxUrl + SHOP_PATH;
  const profile = {
    name: 'Demo shop',
    siteUrl: shopUrl,
    processUrl: `${inboxUrl}/callbacks`,
    successUrl: `${shopUrl}/success`,
    failUrl: `${shopUrl}/fail`,
  };
  const kept = await readKept(file);
  const found = kept && (await operations.merchants.find(kept.merchantId));
  if (kept && found) {
    await operations.merchants.edit(kept.merchantId, { profile, settings: {} });
    if (found.merchant.state !== 'active') await operations.merchants.activate(kept.merchantId);
    return { ...(await withFormKey(operations, kept, file)), isNew: false };
  }
  const created = await operations.merchants.create({ profile, settings: {} });
  if (!created.ok) throw new Error(`the demo merchant was rejected: ${JSON.stringify(created.error)}`);
  const { merchant, key, formKey } = created.value;
  const made = { merchantId: merchant.merchantId, key: key.reveal(), formKey: formKey.reveal() };
  await keep(file, made);
  return { ...made, isNew: true };
}

type Kept = Pick<DemoMerchant, 'merchantId' | 'key' | 'formKey'>;

/** Creates the first form key of a merchant that was created before form keys existed. */
async function withFormKey(operations: Operations, { formKey, ...kept }: KeptInFile, file: string): Promise<Kept> {
  if (formKey !== undefined) return { ...kept, formKey };
  const rotated = await operations.merchants.rotateKey(kept.merchantId, { purpose: 'form' });
  if (!rotated.ok) throw new Error(`the demo merchant got no form key: ${JSON.stringify(rotated.error)}`);
  const complete = { ...kept, formKey: rotated.value.key.reveal() };
  await keep(file, complete);
  return complete;
}

function keep(file: string, { merchantId, key, formKey }: Kept): Promise<void> {
  const text = JSON.stringify({ merchant_id: merchantId, key, form_key: formKey }, null, 2);
  return writeFile(file, `${text}\n`, { mode: 0o600 });
}

type KeptInFile = Omit<Kept, 'formKey'> & { readonly formKey: string | undefined };

async function readKept(file: string): Promise<KeptInFile | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const broken = new DemoFailure(`${file} is damaged: delete it, and the next start creates a new demo merchant`);
  try {
    const { merchant_id: merchantId, key, form_key: formKey } = JSON.parse(text) as Record<string, unknown>;
    const hasFormKey = typeof formKey === 'string' || formKey === undefined;
    if (typeof merchantId === 'string' && typeof key === 'string' && hasFormKey) return { merchantId, key, formKey };
  } catch {
    throw broken;
  }
  throw broken;
}

/** Credits each low currency as an operator does, and returns those currencies. `at` makes the references unique. */
export async function fundDemoMerchant(operations: Operations, merchantId: string, at: number): Promise<string[]> {
  const found = await operations.merchants.find(merchantId);
  const low = FUNDED.filter((currency) => (found?.balances.get(currency)?.available ?? 0n) < TOO_LITTLE);
  for (const currency of low) {
    const money = { currency, minor: GIFT };
    const moved = await operations.funds.move(
      'credit',
      merchantId,
      money,
      `demo-${currency}-${at}`,
      'money for the demo',
    );
    if (!moved.ok) throw new Error(`the demo's funding was rejected: ${moved.error.kind}`);
  }
  return low;
}
