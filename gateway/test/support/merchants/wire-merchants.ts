/** Merchants in memory, as a listener's directory finds them. */
import {
  keysByPurpose,
  type MerchantState,
  type MerchantWithKeys,
  withValidKeys,
} from '../../../src/domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../../src/domain/merchants/merchant-directory.ts';
import type { Clock } from '../../../src/foundation/clock.ts';
import { testKey } from './merchant-keys.ts';
import { merchantNamed } from './merchant-named.ts';

/** 2026-11-20 12:00:00 UTC. */
export const WIRE_START = Date.UTC(2026, 10, 20, 12);
export const WIRE_KEY = 'SecRetKey0123';
export const WIRE_FORM_KEY = 'FormKey456789';

interface WireMerchant {
  readonly settings?: Readonly<Record<string, string>>;
  readonly state?: MerchantState;
  /** The API keys, the newest first. A string is a key without a retirement time. */
  readonly keys?: readonly (string | { readonly key: string; readonly retiresAt: number })[];
}

export interface WireMerchants {
  readonly directory: MerchantDirectory;
  /** The text `merchant keyId` of each authentic request. */
  readonly keysUsed: string[];
  add(merchantId: string, merchant?: WireMerchant): void;
}

/** Merchant `M1` exists, with WIRE_KEY, WIRE_FORM_KEY and default settings. */
export function createWireMerchants(clock: Clock): WireMerchants {
  const merchants = new Map<string, MerchantWithKeys>();
  const keysUsed: string[] = [];
  const add: WireMerchants['add'] = (merchantId, merchant = {}) => {
    merchants.set(merchantId, describeMerchant(merchantId, merchant));
  };
  add('M1');
  return {
    directory: {
      find: async (merchantId) => {
        const found = merchants.get(merchantId);
        return found && withValidKeys(found, clock.now());
      },
      keyUsed: (merchantId, { keyId }) => keysUsed.push(`${merchantId} ${keyId}`),
    },
    keysUsed,
    add,
  };
}

function describeMerchant(merchantId: string, merchant: WireMerchant): MerchantWithKeys {
  const apiKeys = (merchant.keys ?? [WIRE_KEY]).map((entry, at) => {
    const { key, retiresAt } = typeof entry === 'string' ? { key: entry, retiresAt: null } : entry;
    return testKey(key, { keyId: `key-${at}`, retiresAt });
  });
  const keys = keysByPurpose([...apiKeys, testKey(WIRE_FORM_KEY, { purpose: 'form' })]);
  const { settings = {}, state = 'active' } = merchant;
  return { merchant: merchantNamed(merchantId, { settings, state }), keys };
}
