import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sumOf } from './amounts.ts';

describe('the sum of decimal amounts', () => {
  it('the portal adds amounts exactly that floating point cannot add', () => {
    assert.equal(sumOf(['0.10', '0.20']), '0.30');
    assert.equal(sumOf(['90071992547409.93', '0.01']), '90071992547409.94');
  });

  it('a sum of the portal keeps the longest fraction', () => {
    assert.equal(sumOf(['5', '1.250']), '6.250');
    assert.equal(sumOf(['-0.07', '0.02']), '-0.05');
    assert.equal(sumOf(['-3', '3']), '0');
    assert.equal(sumOf([]), '0');
  });
});
