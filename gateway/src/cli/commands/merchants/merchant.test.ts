import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Deep, runOver as run } from '../../../../test/support/gateway/run-over.ts';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import type { GatewayOperations, MerchantRecord } from '../../../domain/gateway-operations.ts';
import { merchantVersion } from '../../../domain/merchants/edit-merchant.ts';
import type { KeyPurpose } from '../../../domain/merchants/merchant.ts';
import { DAY_MS } from '../../../foundation/clock.ts';
import { fail, ok } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';

const AT = Date.UTC(2026, 10, 20, 10);

function shop() {
  return merchantNamed('M1', { name: 'Shop', settings: { payout_rate_limit: '5' }, createdAt: AT });
}

test('merchant create --json prints only the merchant and both keys', async () => {
  let asked: unknown;
  const { stdout, exitCode, closed } = await run(
    'merchant create --id M1 --name Shop --key SecRetKey0123 --form-key FormKey456789 --process-url https://a.example/ --set payout_rate_limit=5 --set ip_allow_list=a=b --json',
    {
      merchants: {
        create: async (application) => {
          asked = { ...application, key: application.key?.reveal(), formKey: application.formKey?.reveal() };
          return ok({ merchant: shop(), key: new Secret('SecRetKey0123'), formKey: new Secret('FormKey456789') });
        },
      },
    },
  );
  const { merchant: created, ...keys } = JSON.parse(stdout);
  assert.deepEqual([created.merchantId, keys], ['M1', { key: 'SecRetKey0123', formKey: 'FormKey456789' }]);
  assert.deepEqual(asked, {
    merchantId: 'M1',
    profile: { name: 'Shop', processUrl: 'https://a.example/' },
    settings: { payout_rate_limit: '5', ip_allow_list: 'a=b' },
    key: 'SecRetKey0123',
    formKey: 'FormKey456789',
  });
  assert.deepEqual([exitCode, closed], [0, 1]);
});

test('merchant edit changes only the named fields, clears an empty URL and resets an --unset setting', async () => {
  let asked: unknown;
  const edit = async (...call: unknown[]) => {
    asked = call;
    return ok(shop());
  };
  await run("merchant edit M1 --fail-url '' --set check_inn=on --unset callback_ack --unset sandbox_mode", {
    merchants: { edit, find: async () => ({ merchant: shop(), keys: [], balances: new Map(), conformance: null }) },
  });
  const settings = { check_inn: 'on', callback_ack: null, sandbox_mode: null };
  assert.deepEqual(asked, ['M1', { profile: { failUrl: null }, settings, ifVersion: merchantVersion(shop()) }]);
});

test('the error of merchant create mentions --form-key when that key is invalid', async () => {
  const create = async () => fail({ kind: 'invalid', field: 'formKey', reason: 'is empty' } as const);
  const created = await run('merchant create --form-key x', { merchants: { create } });
  assert.equal(created.stderr, '--form-key is empty\n');
});

type ShownKey = MerchantRecord['keys'][number];

function shownKey(purpose: KeyPurpose, change: Partial<ShownKey> = {}): ShownKey {
  const times = { createdAt: AT, retiresAt: null, firstUsedAt: null, lastUsedAt: null };
  return { keyId: `${purpose}-key`, purpose, ...times, ...change };
}

function showing(keys: readonly ShownKey[], settings: Readonly<Record<string, string>> = {}): Deep<GatewayOperations> {
  const record = { merchant: merchantNamed('M1', { settings }), keys, balances: new Map(), conformance: null };
  return { merchants: { find: async () => record } };
}

test('merchant show prints the purpose of each key, and its first and last use', async () => {
  const used = { firstUsedAt: AT, lastUsedAt: AT + DAY_MS };
  const shown = showing([shownKey('api', used), shownKey('form')]);
  const { stdout } = await run('merchant show M1', shown);
  assert.match(stdout, /KEY +PURPOSE +CREATED +VALID UNTIL +FIRST USED +LAST USED/);
  assert.match(stdout, /api-key +API key .*until rotated +2026-11-20 10:00:00 +2026-11-21 10:00:00/);
  assert.match(stdout, /form-key +form key .*until rotated +– +–/);
  const { keys } = JSON.parse((await run('merchant show M1 --json', shown)).stdout);
  assert.deepEqual(
    keys.map(({ purpose, lastUsedAt }: Record<string, unknown>) => [purpose, lastUsedAt]),
    [
      ['api', '2026-11-21T10:00:00.000Z'],
      ['form', null],
    ],
  );
});

test('merchant show recommends a missing form key, and required signatures after the first use of the form key', async () => {
  const none = await run('merchant show M1', showing([shownKey('api')]));
  assert.match(none.stdout, /There is no form key, .* gateway key rotate M1 --purpose form/);
  const signs = [shownKey('form', { firstUsedAt: AT })];
  assert.match((await run('merchant show M1', showing(signs))).stdout, /edit M1 --set form_sign=required/);
  const advised = /form_sign=required|no form key/;
  assert.doesNotMatch((await run('merchant show M1', showing([shownKey('form')]))).stdout, advised);
  const { stdout } = await run('merchant show M1', showing(signs, { form_sign: 'required' }));
  assert.doesNotMatch(stdout.replace(/form_sign +required/, ''), advised);
});
