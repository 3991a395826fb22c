import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeOf, sumOf } from './amounts.ts';

describe('the sum of decimal amounts', () => {
  it('the portal adds amounts exactly, even where floating point cannot', () => {
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

describe('the change of a decimal amount', () => {
  it('the change of an amount has a sign, and an unchanged amount has no sign', () => {
    assert.equal(changeOf('199443.97', '196077.09'), '−3366.88');
    assert.equal(changeOf('-5.00', '1.25'), '+6.25');
    assert.equal(changeOf('0.00', '-7.125'), '−7.125');
    assert.equal(changeOf('12.50', '12.50'), null);
  });
});
