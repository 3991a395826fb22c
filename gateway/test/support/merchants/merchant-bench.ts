/** Merchants in a real database, with the parts of the commands that create and change them. */

import assert from 'node:assert/strict';
import { createMerchant, type MerchantApplication } from '../../../src/domain/merchants/create-merchant.ts';
import type { KeyPurpose } from '../../../src/domain/merchants/merchant.ts';
import {
  createKeyring,
  createMasterKey,
  createSealer,
  merchantKeyPlace,
} from '../../../src/domain/vault/create-vault.ts';
import { createManualClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { createConformanceStore } from '../../../src/storage/conformance/conformance-store.ts';
import { openDatabase } from '../../../src/storage/core/database.ts';
import { createMerchantStore } from '../../../src/storage/merchants/merchant-store.ts';
import { createTestDatabase } from '../postgres/postgres.ts';

/** The initial time of the clock in `partsFor`. */
export const MERCHANTS_START = Date.UTC(2026, 10, 20, 10);

export function merchantApplication(over: Partial<MerchantApplication> = {}): MerchantApplication {
  return { merchantId: 'M1', profile: {}, settings: {}, ...over };
}

export async function openMerchantBench() {
  const testDatabase = await createTestDatabase();
  const database = openDatabase(testDatabase.config, { poolSize: 4 });
  const store = createMerchantStore(database);
  const conformance = createConformanceStore(database);
  const sealer = createSealer(createKeyring([createMasterKey(Buffer.alloc(32, 1))]), systemRandom);

  function partsFor(environment: 'development' | 'production' = 'development') {
    const clock = createManualClock(MERCHANTS_START);
    const methodCurrencies = new Map([
      ['9', ['EUR']],
      ['spei', ['MXN']],
    ] as const);
    const rules = { environment, mode: 'live' as const, callbackExtraPorts: new Set([8443]), methodCurrencies };
    return { store, conformance, sealer, clock, random: systemRandom, rules };
  }

  return {
    store,
    pool: testDatabase.pool,
    partsFor,
    async created(parts = partsFor(), over: Partial<MerchantApplication> = {}) {
      const result = await createMerchant(parts, merchantApplication(over));
      assert.ok(result.ok, JSON.stringify(result));
      return result.value;
    },
    /** Returns the keys of merchant M1, newest first. */
    async validKeys(now: number, purpose: KeyPurpose = 'api'): Promise<string[]> {
      const found = await store.find('M1', now);
      const keys = (found?.keys ?? []).filter((key) => key.purpose === purpose);
      return keys.map((key) => sealer.open(key.sealed, merchantKeyPlace('M1', key.keyId)).reveal());
    },
    forget: () => testDatabase.pool.query('truncate merchants, merchant_keys, conformance_runs'),
    async close() {
      await database.close();
      await testDatabase.close();
    },
  };
}
