import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '../../foundation/random.ts';
import { generateKey, keyFault, profileFault } from './merchant-rules.ts';

const RULES = {
  environment: 'production',
  mode: 'live',
  callbackExtraPorts: new Set<number>(),
  methodCurrencies: new Map(),
} as const;
const faultOf = (successUrl: string) => {
  const fault = profileFault({ successUrl }, RULES);
  return fault?.kind === 'invalid' ? fault.reason : undefined;
};

describe('the success URL of a merchant', () => {
  it('a merchant’s success URL accepts any valid host', () => {
    for (const host of ['shop.example', 'my_shop.example:8443', 'магазин.example', '[2001:db8::1]', '192.0.2.1'])
      assert.equal(faultOf(`https://${host}/paid?own=1`), undefined, host);
  });

  it('a merchant’s success URL rejects a host that would change the meaning of a header', () => {
    for (const host of ['*', '*.example', 'a;frame-ancestors', 'a,b', "'self'", 'a"b', 'a$b'])
      assert.equal(faultOf(`https://${host}/paid`), 'has a host with invalid characters', host);
  });

  it('a merchant’s success URL rejects scripts, data, credentials and fragments', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//shop.example',
      'https://a@b.example',
      'https://a.example/#b',
    ])
      assert.ok(faultOf(url), url);
  });
});

describe('the keys of a live merchant and of a sandbox', () => {
  it('a live merchant cannot have a sandbox key, and a sandbox cannot have a live key', () => {
    const sandbox = { ...RULES, mode: 'sandbox' } as const;
    for (const [own, other] of [
      [RULES, sandbox],
      [sandbox, RULES],
    ] as const) {
      const key = generateKey(systemRandom, own);
      assert.equal(keyFault(key, own), undefined);
      assert.match(keyFault(key, other) ?? '', /sandbox/);
    }
  });
});
