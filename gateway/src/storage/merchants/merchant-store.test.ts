import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  merchantApplication as application,
  openMerchantBench,
  MERCHANTS_START as START,
} from '../../../test/support/merchant-bench.ts';
import { createMerchant, type MerchantApplication } from '../../domain/merchants/create-merchant.ts';
import { activateMerchant, editMerchant, suspendMerchant } from '../../domain/merchants/edit-merchant.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import type { MerchantRefusal } from '../../domain/merchants/merchant-refusal.ts';
import type { MerchantChange } from '../../domain/merchants/merchant-store.ts';
import { rotateMerchantKey } from '../../domain/merchants/rotate-merchant-key.ts';
import { ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';

const bench = await openMerchantBench();
const { store, partsFor, created, validKeys } = bench;
after(() => bench.close());
beforeEach(() => bench.forget());

function write(merchantId: string, change: MerchantChange): Promise<unknown> {
  return store.change(merchantId, () => ok(change));
}

test('what a merchant was created with comes back, and what was left out is unset', async () => {
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

test('an id is taken once, also when it is asked for many times at once', async () => {
  const results = await Promise.all(Array.from({ length: 8 }, () => createMerchant(partsFor(), application())));
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  assert.deepEqual(
    results.find(({ ok }) => !ok),
    { ok: false, error: { kind: 'merchant_exists' } },
  );
  assert.equal((await validKeys(START)).length, 1);
  assert.equal((await validKeys(START, 'form')).length, 1);
});

test('without an id one is made up', async () => {
  const { merchant } = await created(partsFor(), { merchantId: undefined });
  assert.match(merchant.merchantId, /^M[A-Z0-9]{12}$/);
  assert.equal(merchant.name, merchant.merchantId);
});

test('a merchant is active at once in development, and in test in production', async () => {
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
  ['an address that is none', { profile: { processUrl: 'shop.example' } }, 'processUrl'],
  ['an address of another scheme', { profile: { failUrl: 'javascript:alert(1)' } }, 'failUrl'],
  ['an address with a password', { profile: { eventUrl: 'https://u:p@shop.example/' } }, 'eventUrl'],
  ['plain http in production', { profile: { successUrl: 'http://shop.example/' } }, 'successUrl', 'production'],
  [
    'a callback port in production',
    { profile: { payoutCallbackUrl: 'https://shop.example:9443/' } },
    'payoutCallbackUrl',
    'production',
  ],
];

for (const [what, over, field, environment] of refusals) {
  test(`${what} is refused by the name of its field, and nothing is created`, async () => {
    const result = await createMerchant(partsFor(environment), application(over));
    assert.ok(!result.ok && result.error.kind === 'invalid' && result.error.field === field, JSON.stringify(result));
    assert.deepEqual(await store.list(), []);
  });
}

test('a short key is good enough for development, a long one for production', async () => {
  assert.equal((await created(partsFor(), { key: new Secret('SecRetKey0123') })).key.reveal(), 'SecRetKey0123');
  await created(partsFor('production'), { merchantId: 'M2', key: new Secret('a'.repeat(32)) });
});

test('an extra port that is configured is accepted for callbacks in production, and any port for pages', async () => {
  const profile = { processUrl: 'https://shop.example:8443/cb', successUrl: 'https://shop.example:9999/' };
  await created(partsFor('production'), { profile });
});

test('a setting that does not exist or has no such value is refused by name', async () => {
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

test('an edit changes what it names, and nothing else', async () => {
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

test('a setting for a method that does not exist, or not in that currency, is refused and not kept idle', async () => {
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

test('limits between which no amount is left are refused, both named, however the second one comes', async () => {
  const crossed = { 'min_amount.9.EUR': '50', 'max_amount.9.EUR': '49.99' };
  const edit = (settings: Record<string, string | null>) => editMerchant(partsFor(), 'M1', { profile: {}, settings });
  const refused: Result<unknown, MerchantRefusal>[] = [
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

test('a merchant whose limits cross already is read, and edited in what is about another method', async () => {
  await created(partsFor(), { settings: { 'max_amount.9.EUR': '10' } });
  await write('M1', { settings: { 'min_amount.9.EUR': '50' } });
  assert.ok((await editMerchant(partsFor(), 'M1', { profile: {}, settings: { 'fee_fixed.spei.MXN': '5' } })).ok);
});

test('of two edits at once neither takes back the other’s settings', async () => {
  await created();
  const edit = (settings: Record<string, string>) => editMerchant(partsFor(), 'M1', { profile: {}, settings });
  await Promise.all([edit({ payout_rate_limit: '1' }), edit({ status_rate_limit: '2' }), edit({ check_inn: 'on' })]);
  const found = await store.find('M1', START);
  assert.deepEqual(found?.merchant.settings.raw, { payout_rate_limit: '1', status_rate_limit: '2', check_inn: 'on' });
});

test('of two edits at once whose limits would cross one is refused', async () => {
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

test('an edit that is not allowed changes nothing', async () => {
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

test('a merchant without a process_url is not activated; with one it is, and suspended, and activated again', async () => {
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

test('commands about a merchant who does not exist say so', async () => {
  const parts = partsFor();
  const results = [
    await editMerchant(parts, 'M1', { profile: {}, settings: {} }),
    await activateMerchant(parts, 'M1'),
    await suspendMerchant(parts, 'M1'),
    await rotateMerchantKey(parts, 'M1', {}),
  ];
  for (const result of results) assert.deepEqual(result, { ok: false, error: { kind: 'merchant_not_found' } });
});

test('nobody gives the operator’s own merchant an address, a key or a way to be served', async () => {
  const parts = partsFor();
  const results = [
    await editMerchant(parts, OPERATOR_MERCHANT, { profile: { processUrl: 'https://shop.example/' }, settings: {} }),
    await activateMerchant(parts, OPERATOR_MERCHANT),
    await rotateMerchantKey(parts, OPERATOR_MERCHANT, {}),
  ];
  for (const result of results) assert.deepEqual(result, { ok: false, error: { kind: 'merchant_reserved' } });
});

test('whatever changes of a merchant changes its revision, and its alone', async () => {
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
