/** Checks our credentials for VoPay against the values that its guide and pages publish. */
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

describe('VoPay’s request signature', () => {
  it('a VoPay request’s signature equals the signature in VoPay’s guide', () => {
    assert.deepEqual(credentialFields(PUBLISHED, '2022-01-28'), {
      AccountID: 'alice.smith',
      Key: '3da541559918a808c2402bba5012f6c60b27661c',
      Signature: 'f69fe6fbd81b9008fbcc0ebdac5fc7a47e3beacf',
    });
  });

  it('a VoPay request’s signature changes every day', () => {
    const signatures = ['2022-01-27', '2022-01-28', '2022-01-29'].map((day) => credentialFields(PUBLISHED, day));
    assert.equal(new Set(signatures.map(({ Signature }) => Signature)).size, 3);
  });
});

describe('the day in VoPay’s signature', () => {
  const cases: readonly (readonly [at: string, day: string, neighbour: string])[] = [
    ['2026-11-20T00:00:00.000Z', '2026-11-20', '2026-11-19'],
    ['2026-11-20T11:59:59.999Z', '2026-11-20', '2026-11-19'],
    ['2026-11-20T12:00:00.000Z', '2026-11-20', '2026-11-21'],
    ['2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01'],
    ['2028-03-01T00:00:00.000Z', '2028-03-01', '2028-02-29'],
  ];
  for (const [at, day, neighbour] of cases)
    it(`the day at ${at} is ${day} in UTC, or ${neighbour} in VoPay’s possible time zone`, () => {
      const instant = Date.parse(at);
      assert.deepEqual([utcDayOf(instant), neighbouringDayOf(instant)], [day, neighbour]);
    });
});

describe('VoPay’s webhook key', () => {
  const secret = new Secret('IUAz1NGoyM02VsoODfIzQA==');
  // SHA-1 of the secret on VoPay's page, followed by the number 1, computed with sha1sum.
  const key = '311beca292f3e2968733459df56ca501bbe295f5';

  it('a VoPay webhook’s key is valid for its secret and its record number', () => {
    assert.ok(isValidationKey(key, '1', secret));
    assert.ok(isValidationKey(key.toUpperCase(), '1', secret));
  });

  it('a VoPay webhook’s key is invalid for another number, another secret or another length', () => {
    assert.equal(isValidationKey(key, '2', secret), false);
    assert.equal(isValidationKey(key, '1', new Secret('another')), false);
    for (const broken of ['', key.slice(1), `${key}0`, 'é'.repeat(40)])
      assert.equal(isValidationKey(broken, '1', secret), false);
  });
});
