/** The kinds of text that the search box recognises. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIND_KINDS, RECOGNISERS } from './find-kinds.ts';

describe('the search box', () => {
  for (const [text, kinds] of [
    ['1054', ['transaction', 'id', 'lastFour']],
    ['Transaction number 1054', ['transaction', 'id']],
    ['#1054', ['transaction', 'id']],
    ['payout_1054_mf3x2k', ['transaction', 'id', 'account', 'provider']],
    ['0b3f8a52-7c1e-4d21-9a54-1f2e3d4c5b6a', ['uuid', 'id', 'account', 'provider']],
    ['646180110400000007', ['id', 'account', 'provider']],
    ['ana@example.com', ['id', 'account', 'provider']],
    ['340.00 2026-11-20', ['id', 'amount']],
    ['340 EUR 2026-11-20', ['id', 'amount']],
    ['340.00 2026-13-20', ['id']],
    ['•••• 1234', ['transaction', 'id', 'lastFour']],
    ['A17', ['id']],
  ] as const)
    it(`the search box recognises ${JSON.stringify(text)} as ${kinds.join(', ')}`, () => {
      assert.deepEqual(
        FIND_KINDS.filter((kind) => RECOGNISERS[kind](text) !== undefined),
        kinds,
      );
    });

  it('the search box reads “340.50 2026-11-20” as an amount in minor units on that day in UTC', () => {
    const [search] = RECOGNISERS.amount('340.50 2026-11-20') ?? [];
    assert.deepEqual(search, {
      list: 'payouts',
      filters: { minAmount: 34_050n, maxAmount: 34_050n },
      from: Date.UTC(2026, 10, 20),
      to: Date.UTC(2026, 10, 21),
    });
  });
});
