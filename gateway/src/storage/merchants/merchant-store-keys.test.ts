/** The keys of merchants: creation, sealing, rotation with an overlap, and one purpose per key. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openMerchantBench, MERCHANTS_START as START } from '../../../test/support/merchants/merchant-bench.ts';
import { callbackKey, keysByPurpose } from '../../domain/merchants/merchant.ts';
import { rotateMerchantKey } from '../../domain/merchants/rotate-merchant-key.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';

const bench = await openMerchantBench();
const { store, partsFor, created, validKeys } = bench;
after(() => bench.close());
beforeEach(() => bench.forget());

test('a new merchant gets an API key and a form key of at least 43 letters and digits, sealed in the database', async () => {
  const { key, formKey } = await created();
  assert.notEqual(key.reveal(), formKey.reveal());
  assert.deepEqual(await validKeys(START), [key.reveal()]);
  assert.deepEqual(await validKeys(START, 'form'), [formKey.reveal()]);
  const { rows } = await bench.pool.query('select merchant_keys::text as text from merchant_keys');
  assert.equal(rows.length, 2);
  for (const each of [key, formKey]) {
    assert.match(each.reveal(), /^[A-Za-z0-9]{43,}$/);
    for (const { text } of rows) assert.ok(!text.includes(Buffer.from(each.reveal()).toString('hex')));
  }
});

test('after a rotation both keys are valid until the overlap ends, then only the new key', async () => {
  const parts = partsFor();
  const { key: first } = await created(parts, { settings: { key_overlap_hours: '2' } });
  parts.clock.advance(1_000);
  const rotated = await rotateMerchantKey(parts, 'M1', {});
  assert.ok(rotated.ok);
  const end = START + 1_000 + 2 * HOUR_MS;
  assert.equal(rotated.value.oldKeyRetiresAt, end);
  assert.deepEqual(await validKeys(end - 1), [rotated.value.key.reveal(), first.reveal()]);
  assert.deepEqual(await validKeys(end), [rotated.value.key.reveal()]);
});

test('a second rotation within the overlap revokes the oldest key: never more than two are valid', async () => {
  const parts = partsFor();
  const { key: first } = await created(parts);
  const second = await rotateMerchantKey(parts, 'M1', {});
  parts.clock.advance(1_000);
  const third = await rotateMerchantKey(parts, 'M1', { key: new Secret('a-third-key') });
  assert.ok(second.ok && third.ok);
  assert.deepEqual(await validKeys(START + 1_000), ['a-third-key', second.value.key.reveal()]);
  assert.ok(!(await validKeys(START)).includes(first.reveal()));
  await Promise.all(Array.from({ length: 5 }, () => rotateMerchantKey(parts, 'M1', {})));
  assert.equal((await validKeys(START + 1_000)).length, 2);
});

test('a rotation without overlap revokes the old key immediately', async () => {
  const parts = partsFor();
  await created(parts);
  const rotated = await rotateMerchantKey(parts, 'M1', { overlapHours: 0 });
  assert.deepEqual(await validKeys(START), [rotated.ok && rotated.value.key.reveal()]);
});

test('a rotation rejects an overlap of more than seven days and an invalid key', async () => {
  const parts = partsFor();
  await created(parts);
  for (const rotation of [
    { overlapHours: 169 },
    { overlapHours: -1 },
    { overlapHours: 1.5 },
    { key: new Secret('') },
  ]) {
    assert.ok(!(await rotateMerchantKey(parts, 'M1', rotation)).ok);
  }
  assert.equal((await validKeys(START)).length, 1);
});

test('a rotation of the form key or the API key leaves the other key unchanged', async () => {
  const parts = partsFor();
  const { key, formKey } = await created(parts);
  parts.clock.advance(1_000);
  const rotated = await rotateMerchantKey(parts, 'M1', { purpose: 'form' });
  assert.ok(rotated.ok);
  const now = START + 1_000;
  assert.deepEqual(await validKeys(now, 'form'), [rotated.value.key.reveal(), formKey.reveal()]);
  assert.deepEqual(await validKeys(now), [key.reveal()]);
  assert.deepEqual(await validKeys(now + 24 * HOUR_MS, 'form'), [rotated.value.key.reveal()]);
  assert.deepEqual(await validKeys(now + 24 * HOUR_MS), [key.reveal()]);
  const leaked = await rotateMerchantKey(parts, 'M1', { overlapHours: 0 });
  assert.deepEqual(await validKeys(now), [leaked.ok && leaked.value.key.reveal()]);
  assert.equal((await validKeys(now, 'form')).length, 2);
});

test('a rotation rejects a key that the merchant uses for the other purpose', async () => {
  const parts = partsFor();
  const { key, formKey } = await created(parts);
  const fault = { kind: 'invalid', field: 'key', reason: 'must differ from the merchant’s key of the other purpose' };
  assert.deepEqual(await rotateMerchantKey(parts, 'M1', { purpose: 'form', key }), { ok: false, error: fault });
  assert.deepEqual(await rotateMerchantKey(parts, 'M1', { key: formKey }), { ok: false, error: fault });
  assert.deepEqual([await validKeys(START), await validKeys(START, 'form')], [[key.reveal()], [formKey.reveal()]]);
});

test('a merchant without a form key gets its first form key by a rotation, which revokes no key', async () => {
  const parts = partsFor();
  const { key } = await created(parts);
  await bench.pool.query(`delete from merchant_keys where purpose = 'form'`);
  const first = await rotateMerchantKey(parts, 'M1', { purpose: 'form' });
  assert.ok(first.ok);
  assert.equal(first.value.oldKeyRetiresAt, null);
  assert.deepEqual(await validKeys(START, 'form'), [first.value.key.reveal()]);
  assert.deepEqual(await validKeys(START + 24 * HOUR_MS), [key.reveal()]);
});

test('callbacks use the old key until the merchant first uses the new key', async () => {
  const parts = partsFor();
  await created(parts);
  await rotateMerchantKey(parts, 'M1', {});
  const keys = async () => ((await store.find('M1', START))?.keys ?? []).filter(({ purpose }) => purpose === 'api');
  const [newest, older] = await keys();
  const named = (list: Awaited<ReturnType<typeof keys>>) =>
    callbackKey(keysByPurpose(list.map((key) => ({ ...key, secret: new Secret('') }))))?.keyId;
  assert.equal(named(await keys()), older?.keyId);
  await store.markKeyUsed('M1', newest?.keyId ?? '', START + 5);
  await store.markKeyUsed('M1', newest?.keyId ?? '', START + 9);
  await store.markKeyUsed('M1', newest?.keyId ?? '', START + 7);
  const [used] = await keys();
  assert.deepEqual([used?.firstUsedAt, used?.lastUsedAt], [START + 5, START + 9]);
  assert.equal(named(await keys()), newest?.keyId);
});
