import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { createManualClock, HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { createKeyring, createMasterKey, createSealer, merchantKeyPlace } from '../vault/create-vault.ts';
import { createMerchantDirectory } from './cached-merchant-directory.ts';
import type { MerchantStore, StoredKey } from './merchant-store.ts';

const sealer = createSealer(createKeyring([createMasterKey(Buffer.alloc(32, 1))]), systemRandom);

function storedKey(merchantId: string, keyId: string, retiresAt: number | null = null): StoredKey {
  const sealed = sealer.seal(new Secret(`key ${keyId}`), merchantKeyPlace(merchantId, keyId));
  return { keyId, purpose: 'api', sealed, createdAt: 0, retiresAt, firstUsedAt: null, lastUsedAt: null };
}

/** A directory over one merchant, M1. Its store counts the calls, and a test can make it fail. */
function directoryOverOne() {
  const clock = createManualClock(0);
  const asked: string[] = [];
  const used: string[] = [];
  const problems: string[] = [];
  const state = { keys: [storedKey('M1', 'k1')], name: 'M1', fails: false, second: '', lost: '' };
  const compared: string[][] = [];
  const revision = () => JSON.stringify([state.name, state.keys]);
  let opened = 0;
  const store = {
    find: async (merchantId: string) => {
      asked.push(merchantId);
      await setImmediate();
      if (state.fails) throw new Error('the database is gone');
      if (merchantId === state.second) return { merchant: merchantNamed(merchantId, {}), keys: [], revision: '' };
      return merchantId === 'M1'
        ? { merchant: merchantNamed('M1', { name: state.name }), keys: state.keys, revision: revision() }
        : undefined;
    },
    revisions: async (merchantIds: readonly string[]) => {
      compared.push([...merchantIds]);
      await setImmediate();
      if (state.fails || merchantIds.includes(state.lost)) throw new Error('the database is gone');
      return new Map(merchantIds.includes('M1') ? [['M1', revision()]] : []);
    },
    markKeyUsed: async (_merchantId: string, keyId: string) => {
      if (state.fails) throw new Error('the database is gone');
      used.push(keyId);
    },
  } as Partial<MerchantStore> as MerchantStore;
  const counting: typeof sealer = {
    ...sealer,
    open: (sealed, boundTo) => {
      opened += 1;
      return sealer.open(sealed, boundTo);
    },
  };
  const directory = createMerchantDirectory({
    store,
    sealer: counting,
    clock,
    onProblem: (problem) => problems.push(problem),
  });
  return { clock, asked, compared, used, problems, state, directory, opened: () => opened };
}

test('the merchant directory reads a merchant once for a hundred requests within one second', async () => {
  const { directory, asked, clock } = directoryOverOne();
  const found = await Promise.all(Array.from({ length: 100 }, () => directory.find('M1')));
  assert.ok(found.every((one) => one?.keys.api[0]?.secret.reveal() === 'key k1'));
  clock.advance(999);
  await directory.find('M1');
  assert.equal(asked.length, 1);
});

test('the merchant directory shows a change one second later', async () => {
  const { directory, state, clock } = directoryOverOne();
  await directory.find('M1');
  state.name = 'renamed';
  clock.advance(1_000);
  assert.equal((await directory.find('M1'))?.merchant.name, 'renamed');
});

test('the merchant directory compares stale merchants in one query and reloads only changed merchants', async () => {
  const { directory, asked, compared, clock } = directoryOverOne();
  for (let second = 0; second < 3; second++) {
    assert.ok(await directory.find('M1'));
    clock.advance(1_000);
  }
  assert.deepEqual([asked, compared], [['M1'], [['M1'], ['M1']]]);
  const found = await Promise.all(Array.from({ length: 100 }, () => directory.find('M1')));
  assert.ok(found.every((one) => one?.merchant.name === 'M1'));
  assert.deepEqual([asked.length, compared.length], [1, 3]);
});

test('the merchant directory decrypts a key only once, even if it reads the merchant repeatedly', async () => {
  const { directory, state, clock, opened } = directoryOverOne();
  for (let second = 0; second < 5; second++) {
    await directory.find('M1');
    clock.advance(1_000);
  }
  assert.equal(opened(), 1);
  state.keys = [storedKey('M1', 'k2'), ...state.keys];
  await directory.find('M1');
  assert.equal(opened(), 2);
});

test('a key in the merchant directory expires to the millisecond, not at the next read', async () => {
  const { directory, state, clock } = directoryOverOne();
  state.keys = [storedKey('M1', 'k2'), storedKey('M1', 'k1', 500)];
  assert.deepEqual(
    (await directory.find('M1'))?.keys.api.map(({ keyId }) => keyId),
    ['k2', 'k1'],
  );
  clock.advance(500);
  assert.deepEqual(
    (await directory.find('M1'))?.keys.api.map(({ keyId }) => keyId),
    ['k2'],
  );
});

test('the merchant directory caches an unknown id for a second', async () => {
  const { directory, asked, clock } = directoryOverOne();
  assert.equal(await directory.find('nobody'), undefined);
  assert.equal(await directory.find('nobody'), undefined);
  assert.equal(asked.length, 1);
  clock.advance(1_000);
  await directory.find('nobody');
  assert.equal(asked.length, 2);
});

test('the merchant directory never looks up a string that cannot be an id', async () => {
  const { directory, asked } = directoryOverOne();
  for (const id of ['', 'a b', 'x'.repeat(65), '../M1', 'M1\n']) assert.equal(await directory.find(id), undefined);
  assert.deepEqual(asked, []);
});

test('the merchant directory caches at most ten thousand unknown ids and drops the least recently used', async () => {
  const { directory, asked } = directoryOverOne();
  const ids = Array.from({ length: 10_000 }, (_, index) => `x${index}`);
  await Promise.all(ids.map((id) => directory.find(id)));
  await directory.find('x0');
  await directory.find('one-more');
  asked.length = 0;
  await directory.find('x0');
  assert.deepEqual(asked, []);
  await directory.find('x1');
  assert.deepEqual(asked, ['x1']);
});

test('the merchant directory does not serve a stale merchant while the database is down, and serves it again afterwards', async () => {
  const { directory, state, clock } = directoryOverOne();
  await directory.find('M1');
  state.fails = true;
  assert.ok(await directory.find('M1'));
  clock.advance(1_000);
  await assert.rejects(directory.find('M1'));
  state.fails = false;
  assert.ok(await directory.find('M1'));
});

test('the merchant directory records a key’s use at most once an hour and retries after a failure', async () => {
  const { directory, state, used, problems, clock } = directoryOverOne();
  const [key] = (await directory.find('M1'))?.keys.api ?? [];
  assert.ok(key);
  state.fails = true;
  directory.keyUsed('M1', key);
  await setImmediate();
  assert.equal(problems.length, 1);
  state.fails = false;
  directory.keyUsed('M1', key);
  directory.keyUsed('M1', key);
  directory.keyUsed('M1', { ...key, keyId: 'k0', firstUsedAt: 7, lastUsedAt: clock.now() });
  await setImmediate();
  assert.deepEqual(used, ['k1']);
  clock.advance(HOUR_MS - 1);
  directory.keyUsed('M1', key);
  assert.deepEqual(used, ['k1']);
  clock.advance(1);
  directory.keyUsed('M1', key);
  directory.keyUsed('M1', { ...key, keyId: 'k0', lastUsedAt: clock.now() - HOUR_MS });
  assert.deepEqual(used, ['k1', 'k1', 'k0']);
});

test('the merchant directory records the use of a key that retires once a minute', async () => {
  const { directory, used, clock } = directoryOverOne();
  const [key] = (await directory.find('M1'))?.keys.api ?? [];
  assert.ok(key);
  const old = { ...key, retiresAt: clock.now() + HOUR_MS, lastUsedAt: clock.now() };
  clock.advance(MINUTE_MS - 1);
  directory.keyUsed('M1', old);
  assert.deepEqual(used, []);
  clock.advance(1);
  directory.keyUsed('M1', old);
  directory.keyUsed('M1', old);
  clock.advance(MINUTE_MS);
  directory.keyUsed('M1', old);
  assert.deepEqual(used, ['k1', 'k1']);
});

test('a lookup fails only for the merchant whose revision cannot be read, even when it is combined with others', async () => {
  const { directory, state, clock } = directoryOverOne();
  state.second = 'M2';
  const both = () => Promise.allSettled([directory.find('M1'), directory.find('M2')]);
  await both();
  state.lost = 'M2';
  clock.advance(1_000);
  assert.deepEqual(
    (await both()).map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
});
