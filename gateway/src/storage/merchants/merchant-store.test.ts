import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  merchantApplication as application,
  openMerchantBench,
  MERCHANTS_START as START,
} from '../../../test/support/merchants/merchant-bench.ts';
import { createMerchant, type MerchantApplication } from '../../domain/merchants/create-merchant.ts';
import { activateMerchant, editMerchant, suspendMerchant } from '../../domain/merchants/edit-merchant.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import type { MerchantRejection } from '../../domain/merchants/merchant-rejection.ts';
import type { MerchantChange } from '../../domain/merchants/merchant-store.ts';
import { rotateMerchantKey } from '../../domain/merchants/rotate-merchant-key.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import { ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';

const bench = await openMerchantBench();
const { store, partsFor, created, validKeys } = bench;
after(() => bench.close());
beforeEach(() => bench.forget());

function write(merchantId: string, change: MerchantChange): Promise<unknown> {
  return store.change(merchantId, () => ok(change));
}

test('a merchant is read as it was created, and omitted fields are unset', async () => {
  const profile = {
    name: 'Shop',
    processUrl: 'http://127.0.0.1:9000/callback',
    successUrl: 'https://shop.example/ok?a=1',
  };
  const { merchant } = await created(partsFor(), {
    profile,
    settings: { payout_rate_limit: '5', 'fee_percent.9.EUR': '1.5' },
  });
  const found = (await store.find('M1', START))?.merchant;
  assert.deepEqual({ ...found, settings: found?.settings.raw }, { ...merchant, settings: merchant.settings.raw });
  assert.equal(found?.settings.payout_rate_limit, 5);
  assert.equal(found?.settings.perMethod('fee_percent', 9, 'EUR'), 15_000n);
  assert.equal(found?.failUrl, null);
  assert.deepEqual(
    (await store.list()).map(({ merchantId, name }) => [merchantId, name]),
    [['M1', 'Shop']],
  );
});

test('a merchant id is created once under concurrent requests', async () => {
  const results = await Promise.all(Array.from({ length: 8 }, () => createMerchant(partsFor(), application())));
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  assert.deepEqual(
    results.find(({ ok }) => !ok),
    { ok: false, error: { kind: 'merchant_exists' } },
  );
  assert.equal((await validKeys(START)).length, 1);
  assert.equal((await validKeys(START, 'form')).length, 1);
});

test('a merchant created without an id gets a generated id', async () => {
  const { merchant } = await created(partsFor(), { merchantId: undefined });
  assert.match(merchant.merchantId, /^M[A-Z0-9]{12}$/);
  assert.equal(merchant.name, merchant.merchantId);
});

test('a new merchant is active in development, and in state test in production', async () => {
  assert.equal((await created(partsFor('development'))).merchant.state, 'active');
  assert.equal((await created(partsFor('production'), { merchantId: 'M2' })).merchant.state, 'test');
});

const refusals: readonly [string, Partial<MerchantApplication>, string, ('production' | 'development')?][] = [
  ['an id with a slash', { merchantId: 'a/b' }, 'id'],
  ['an id of 65 characters', { merchantId: 'a'.repeat(65) }, 'id'],
  ['an id that looks like a currency', { merchantId: 'USD' }, 'id'],
  ['an empty name', { profile: { name: ' ' } }, 'name'],
  ['an empty key', { key: new Secret('') }, 'key'],
  ['a key with a line break', { key: new Secret('SecRetKey0123\n') }, 'key'],
  ['a key with a colon', { key: new Secret('SecRet:Key0123') }, 'key'],
  ['an empty form key', { formKey: new Secret('') }, 'formKey'],
  ['a form key with a colon', { formKey: new Secret('Form:Key0123') }, 'formKey'],
  ['a short form key in production', { formKey: new Secret('a'.repeat(31)) }, 'formKey', 'production'],
  ['one key for both purposes', { key: new Secret('SecRetKey0123'), formKey: new Secret('SecRetKey0123') }, 'formKey'],
  ['a short key in production', { key: new Secret('a'.repeat(31)) }, 'key', 'production'],
  ['an invalid URL', { profile: { processUrl: 'shop.example' } }, 'processUrl'],
  ['a URL with a scheme other than http', { profile: { failUrl: 'javascript:alert(1)' } }, 'failUrl'],
  ['a URL with a password', { profile: { eventUrl: 'https://u:p@shop.example/' } }, 'eventUrl'],
  ['plain http in production', { profile: { successUrl: 'http://shop.example/' } }, 'successUrl', 'production'],
  [
    'an unlisted callback port in production',
    { profile: { payoutCallbackUrl: 'https://shop.example:9443/' } },
    'payoutCallbackUrl',
    'production',
  ],
];

for (const [what, over, field, environment] of refusals) {
  test(`the creation of a merchant with ${what} is rejected by field name and does not create anything`, async () => {
    const result = await createMerchant(partsFor(environment), application(over));
    assert.ok(!result.ok && result.error.kind === 'invalid' && result.error.field === field, JSON.stringify(result));
    assert.deepEqual(await store.list(), []);
  });
}

test('a short key is accepted in development only, and a long key in production too', async () => {
  assert.equal((await created(partsFor(), { key: new Secret('SecRetKey0123') })).key.reveal(), 'SecRetKey0123');
  await created(partsFor('production'), { merchantId: 'M2', key: new Secret('a'.repeat(32)) });
});

test('a configured extra port is accepted for callbacks in production, and any port for pages', async () => {
  const profile = { processUrl: 'https://shop.example:8443/cb', successUrl: 'https://shop.example:9999/' };
  await created(partsFor('production'), { profile });
});

test('an unknown setting or an invalid value of a setting is rejected by name', async () => {
  for (const [name, text] of [
    ['payout_rate_limits', '5'],
    ['payout_rate_limit', 'many'],
    ['ip_allow_list', '10.0.0.300'],
    ['ip_allow_list', '10.0.0.0/33'],
    ['min_amount.9.XYZ', '1'],
    ['__proto__', '1'],
  ] as const) {
    const result = await createMerchant(partsFor(), application({ settings: Object.fromEntries([[name, text]]) }));
    assert.ok(!result.ok && result.error.kind === 'invalid_setting' && result.error.reason.includes(name), name);
  }
});

test('an edit of a merchant changes only the fields in the edit', async () => {
  await created(partsFor(), {
    profile: { name: 'Shop', processUrl: 'http://a.example/' },
    settings: { callback_ack: 'any_2xx', check_inn: 'on' },
  });
  const edited = await editMerchant(partsFor(), 'M1', {
    profile: { successUrl: 'http://b.example/' },
    settings: { check_inn: null, ip_allow_list: '192.0.2.0/24, 2001:db8::1' },
  });
  assert.ok(edited.ok);
  assert.equal(edited.value.name, 'Shop');
  assert.equal(edited.value.processUrl, 'http://a.example/');
  assert.equal(edited.value.successUrl, 'http://b.example/');
  assert.deepEqual(edited.value.settings.raw, { callback_ack: 'any_2xx', ip_allow_list: '192.0.2.0/24, 2001:db8::1' });
});

test('a setting for a currency that the method lacks is rejected', async () => {
  await created(partsFor(), { settings: { 'fee_percent.9.EUR': '1', disabled_methods: '9' } });
  for (const [name, text] of [
    ['fee_percent.9.USD', '1'],
    ['fee_fixed.10.EUR', '1'],
    ['min_amount.09.EUR', '1'],
    ['disabled_methods', '9, 99'],
  ] as const) {
    const settings = { [name]: text };
    const outcomes = [
      await createMerchant(partsFor(), application({ merchantId: 'M2', settings })),
      await editMerchant(partsFor(), 'M1', { profile: {}, settings }),
    ];
    for (const outcome of outcomes) {
      assert.ok(!outcome.ok && outcome.error.kind === 'invalid_setting' && outcome.error.reason.includes(name), name);
    }
  }
});

test('a minimum amount above the maximum is rejected with the names of both settings, whichever comes second', async () => {
  const crossed = { 'min_amount.9.EUR': '50', 'max_amount.9.EUR': '49.99' };
  const edit = (settings: Record<string, string | null>) => editMerchant(partsFor(), 'M1', { profile: {}, settings });
  const refused: Result<unknown, MerchantRejection>[] = [
    await createMerchant(partsFor(), application({ settings: crossed })),
  ];
  await created(partsFor(), { settings: { 'min_amount.9.EUR': '50', 'max_amount.9.EUR': '50.00' } });
  refused.push(await edit({ 'max_amount.9.EUR': '49.99' }));
  for (const outcome of refused) {
    const reason = !outcome.ok && outcome.error.kind === 'invalid_setting' ? outcome.error.reason : '';
    assert.equal(reason, 'Setting "min_amount.9.EUR" (50) is above "max_amount.9.EUR" (49.99)');
  }
  assert.ok((await edit({ 'max_amount.9.EUR': '49.99', 'min_amount.9.EUR': null })).ok);
});

test('a merchant with a minimum above its maximum can be read and edited for another method', async () => {
  await created(partsFor(), { settings: { 'max_amount.9.EUR': '10' } });
  await write('M1', { settings: { 'min_amount.9.EUR': '50' } });
  assert.ok((await editMerchant(partsFor(), 'M1', { profile: {}, settings: { 'fee_fixed.spei.MXN': '5' } })).ok);
});

test('two concurrent edits of a merchant do not overwrite each other’s settings', async () => {
  await created();
  const edit = (settings: Record<string, string>) => editMerchant(partsFor(), 'M1', { profile: {}, settings });
  await Promise.all([edit({ payout_rate_limit: '1' }), edit({ status_rate_limit: '2' }), edit({ check_inn: 'on' })]);
  const found = await store.find('M1', START);
  assert.deepEqual(found?.merchant.settings.raw, { payout_rate_limit: '1', status_rate_limit: '2', check_inn: 'on' });
});

test('one of two concurrent edits is rejected when together they set a minimum above the maximum', async () => {
  await created();
  for (const [method, currency] of [
    ['9', 'EUR'],
    ['spei', 'MXN'],
  ] as const) {
    const outcomes = await Promise.all(
      [{ [`min_amount.${method}.${currency}`]: '50' }, { [`max_amount.${method}.${currency}`]: '49.99' }].map(
        (settings) => editMerchant(partsFor(), 'M1', { profile: {}, settings }),
      ),
    );
    assert.deepEqual(outcomes.map(({ ok }) => ok).toSorted(), [false, true]);
  }
});

test('a rejected edit of a merchant has no effect', async () => {
  await created(partsFor(), { profile: { processUrl: 'http://a.example/' } });
  const edits = [
    { profile: { name: 'New', failUrl: 'nowhere' }, settings: {} },
    { profile: { name: 'New' }, settings: { callback_ack: 'maybe' } },
    { profile: { name: 'New' }, settings: { no_such_setting: null } },
    { profile: { name: 'New', processUrl: null }, settings: {} },
  ];
  for (const edit of edits) assert.ok(!(await editMerchant(partsFor(), 'M1', edit)).ok);
  assert.equal((await store.find('M1', START))?.merchant.name, 'M1');
});

test('a merchant is activated only with a process_url, and can then be suspended and activated again', async () => {
  const parts = partsFor('production');
  await created(parts);
  assert.deepEqual(await activateMerchant(parts, 'M1'), { ok: false, error: { kind: 'process_url_missing' } });
  await editMerchant(parts, 'M1', { profile: { processUrl: 'https://shop.example/cb' }, settings: {} });
  const states = [];
  for (const command of [activateMerchant, activateMerchant, suspendMerchant, suspendMerchant, activateMerchant]) {
    const result = await command(parts, 'M1');
    states.push(result.ok && result.value.state);
  }
  assert.deepEqual(states, ['active', 'active', 'suspended', 'suspended', 'active']);
});

test('a merchant whose settings require a conformance run leaves the state test only after a recent passed run', async () => {
  const parts = partsFor('production');
  await created(parts, {
    profile: { processUrl: 'https://shop.example/cb' },
    settings: { conformance_days: '7' },
  });
  const run = { address: 'http://shop.test/cb', passed: 40, examined: 40, findings: [] };
  const activate = async (recorded?: { readonly isPassed: boolean; readonly days: number }) => {
    const recordedAt = START - (recorded?.days ?? 0) * DAY_MS;
    if (recorded) await parts.conformance.record('M1', { ...run, recordedAt, isPassed: recorded.isPassed });
    const result = await activateMerchant(parts, 'M1');
    return result.ok ? result.value.state : result.error.kind;
  };
  assert.equal(await activate(), 'conformance_missing');
  assert.equal(await activate({ isPassed: false, days: 0 }), 'conformance_missing');
  assert.equal(await activate({ isPassed: true, days: 8 }), 'conformance_missing');
  assert.equal(await activate({ isPassed: true, days: 7 }), 'active');
  // Only the first activation is bound: a suspended merchant was live before.
  await suspendMerchant(parts, 'M1');
  assert.equal(await activate({ isPassed: false, days: 0 }), 'active');
});

test('a command for an unknown merchant reports that the merchant does not exist', async () => {
  const parts = partsFor();
  const results = [
    await editMerchant(parts, 'M1', { profile: {}, settings: {} }),
    await activateMerchant(parts, 'M1'),
    await suspendMerchant(parts, 'M1'),
    await rotateMerchantKey(parts, 'M1', {}),
  ];
  for (const result of results) assert.deepEqual(result, { ok: false, error: { kind: 'merchant_not_found' } });
});

test('the operator’s own merchant cannot get a URL, a key or an activation', async () => {
  const parts = partsFor();
  const results = [
    await editMerchant(parts, OPERATOR_MERCHANT, { profile: { processUrl: 'https://shop.example/' }, settings: {} }),
    await activateMerchant(parts, OPERATOR_MERCHANT),
    await rotateMerchantKey(parts, OPERATOR_MERCHANT, {}),
  ];
  for (const result of results) assert.deepEqual(result, { ok: false, error: { kind: 'merchant_reserved' } });
});

test('a change of a merchant changes the revision of that merchant only', async () => {
  const parts = partsFor();
  await created(parts);
  await created(parts, { merchantId: 'M2' });
  const seen: string[] = [];
  const revision = async () => {
    const revisions = await store.revisions(['M1', 'nobody']);
    assert.deepEqual([...revisions.keys()], ['M1']);
    assert.equal(revisions.get('M1'), (await store.find('M1', START))?.revision);
    return revisions.get('M1') ?? '';
  };
  const changes: (() => Promise<unknown>)[] = [
    async () => {},
    () => write('M1', { name: 'another' }),
    () => write('M1', { state: 'suspended' }),
    () => write('M1', { settings: { callback_ack: 'any_2xx' } }),
    () => rotateMerchantKey(parts, 'M1', {}),
  ];
  for (const change of changes) {
    await change();
    seen.push(await revision());
  }
  assert.equal(new Set(seen).size, changes.length);
  await write('M2', { name: 'another' });
  assert.equal(await revision(), seen.at(-1));
});
