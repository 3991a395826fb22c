/** A merchant as a value, for tests without a database. */

import type { Merchant } from '../../../src/domain/merchants/merchant.ts';
import { readMerchantSettings } from '../../../src/domain/merchants/merchant-settings.ts';
import type { MerchantId } from '../../../src/foundation/identifiers.ts';
import { invariant } from '../../../src/foundation/invariant.ts';

export type MerchantChange = Partial<Omit<Merchant, 'settings'>> & {
  /** The settings by name, as strings. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** Returns an active merchant without URLs, with default settings. `change` overrides fields. */
export function merchantNamed(merchantId: MerchantId, { settings = {}, ...change }: MerchantChange = {}): Merchant {
  const read = readMerchantSettings(settings);
  invariant(read.ok, 'a test gives a merchant settings that there are not');
  return {
    merchantId,
    name: merchantId,
    siteUrl: null,
    processUrl: null,
    successUrl: null,
    failUrl: null,
    payoutCallbackUrl: null,
    eventUrl: null,
    state: 'active',
    createdAt: 0,
    ...change,
    settings: read.value,
  };
}
