/** Who we are to VoPay: by what its guide and its pages publish. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { utcDayOf } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { credentialFields, isValidationKey, neighbouringDayOf } from './authentication.ts';

const PUBLISHED = {
  accountId: 'alice.smith',
  key: new Secret('3da541559918a808c2402bba5012f6c60b27661c'),
  sharedSecret: new Secret('OTEyZWM4MDNiMmNINDk='),
};

describe('a request’s signature', () => {
  it('is the one that VoPay’s guide publishes', () => {
    assert.deepEqual(credentialFields(PUBLISHED, '2022-01-28'), {
      AccountID: 'alice.smith',
      Key: '3da541559918a808c2402bba5012f6c60b27661c',
      Signature: 'f69fe6fbd81b9008fbcc0ebdac5fc7a47e3beacf',
    });
  });

  it('is another one on another day', () => {
    const signatures = ['2022-01-27', '2022-01-28', '2022-01-29'].map((day) => credentialFields(PUBLISHED, day));
    assert.equal(new Set(signatures.map(({ Signature }) => Signature)).size, 3);
  });
});

describe('the day', () => {
  const cases: readonly (readonly [at: string, day: string, neighbour: string])[] = [
    ['2026-11-20T00:00:00.000Z', '2026-11-20', '2026-11-19'],
    ['2026-11-20T11:59:59.999Z', '2026-11-20', '2026-11-19'],
    ['2026-11-20T12:00:00.000Z', '2026-11-20', '2026-11-21'],
    ['2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01'],
    ['2028-03-01T00:00:00.000Z', '2028-03-01', '2028-02-29'],
  ];
  for (const [at, day, neighbour] of cases)
    it(`at ${at} is ${day}, or ${neighbour} where VoPay’s clock is elsewhere`, () => {
      const instant = Date.parse(at);
      assert.deepEqual([utcDayOf(instant), neighbouringDayOf(instant)], [day, neighbour]);
    });
});

describe('a webhook’s key', () => {
  const secret = new Secret('IUAz1NGoyM02VsoODfIzQA==');
  // SHA-1 of the secret that VoPay’s page shows, followed by the number 1, by sha1sum.
  const key = '311beca292f3e2968733459df56ca501bbe295f5';

  it('is made of the shared secret and the number', () => {
    assert.ok(isValidationKey(key, '1', secret));
    assert.ok(isValidationKey(key.toUpperCase(), '1', secret));
  });

  it('of another number, another secret, or none is no key', () => {
    assert.equal(isValidationKey(key, '2', secret), false);
    assert.equal(isValidationKey(key, '1', new Secret('another')), false);
    for (const broken of ['', key.slice(1), `${key}0`, 'é'.repeat(40)])
      assert.equal(isValidationKey(broken, '1', secret), false);
  });
});
