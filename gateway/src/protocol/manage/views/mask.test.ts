/** Masks of personal data. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maskFor, maskText } from './mask.ts';

describe('masks of personal data', () => {
  for (const [text, masked] of [
    ['646180110400000007', '***0007'],
    ['411111******1111', '***1111'],
    ['ana.lopez@example.com', 'a***@example.com'],
    ['@handle', '@***'],
    ['Ana', 'A***'],
    ['1234', '1***'],
    ['', ''],
  ] as const)
    it(`personal data without the permission is masked: ${JSON.stringify(text)} becomes ${JSON.stringify(masked)}`, () =>
      assert.equal(maskText(text), masked));

  it('personal data is unmasked for a caller with personal:read', () => {
    const actor = { kind: 'token', id: 'T', name: 'x' } as const;
    const caller = { actor, merchantId: null, permissions: new Set(['personal:read']) };
    assert.equal(maskFor(caller)('ana@example.com'), 'ana@example.com');
    assert.equal(maskFor({ ...caller, permissions: new Set(['payouts:read']) })('ana@example.com'), 'a***@example.com');
  });
});
