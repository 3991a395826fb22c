import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressKey, isAddressAllowed } from './client-address.ts';

describe('the allow-list', () => {
  it('lets everybody in when it is empty, and nobody whose address is none when it is not', () => {
    assert.equal(isAddressAllowed('203.0.113.1', []), true);
    assert.equal(isAddressAllowed('', []), true);
    for (const text of ['', 'unknown', '1.2.3.4.5'])
      assert.equal(isAddressAllowed(text, ['0.0.0.0/0', '::/0']), false, text);
  });

  it('takes IPv4 inside IPv6 as IPv4, on either side', () => {
    assert.equal(isAddressAllowed('::ffff:203.0.113.1', ['203.0.113.1']), true);
    assert.equal(isAddressAllowed('::ffff:cb00:7101', ['203.0.113.0/24']), true);
    assert.equal(isAddressAllowed('203.0.113.1', ['::ffff:203.0.113.1']), true);
    assert.equal(isAddressAllowed('203.0.113.1', ['::ffff:203.0.113.0/120']), true);
    assert.equal(isAddressAllowed('203.0.114.1', ['::ffff:203.0.113.0/120']), false);
  });

  it('never lets one kind of address in by a network of the other', () => {
    assert.equal(isAddressAllowed('203.0.113.1', ['::/0']), false);
    assert.equal(isAddressAllowed('2001:db8::1', ['0.0.0.0/0']), false);
  });

  it('lets nobody in by an entry that is none', () => {
    assert.equal(isAddressAllowed('1.2.3.4', ['1.2.3.4/33', '1.2.3/24', ':::']), false);
  });

  it('knows the ends of a network', () => {
    const list = ['10.1.2.64/26'];
    const inside = ['10.1.2.63', '10.1.2.64', '10.1.2.127', '10.1.2.128'].map((text) => isAddressAllowed(text, list));
    assert.deepEqual(inside, [false, true, true, false]);
  });
});

it('guesses are counted per IPv4 address and per IPv6 site', () => {
  assert.equal(addressKey('::ffff:203.0.113.1'), addressKey('203.0.113.1'));
  assert.notEqual(addressKey('203.0.113.1'), addressKey('203.0.113.2'));
  assert.equal(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:2:ffff::9'));
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
});
