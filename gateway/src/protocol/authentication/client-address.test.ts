import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addressKey, isAddressAllowed } from './client-address.ts';

it('an empty allow-list admits every address, and any other list only the addresses in its networks', () => {
  assert.equal(isAddressAllowed('203.0.113.1', []), true);
  assert.equal(isAddressAllowed('', []), true);
  assert.equal(isAddressAllowed('203.0.113.1', ['203.0.113.0/24']), true);
  assert.equal(isAddressAllowed('203.0.114.1', ['203.0.113.0/24']), false);
  assert.equal(isAddressAllowed('', ['0.0.0.0/0']), false);
});

it('the gateway counts invalid signatures per IPv4 address and per IPv6 site', () => {
  assert.equal(addressKey('::ffff:203.0.113.1'), addressKey('203.0.113.1'));
  assert.notEqual(addressKey('203.0.113.1'), addressKey('203.0.113.2'));
  assert.equal(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:2:ffff::9'));
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
});
