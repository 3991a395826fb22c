import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressGroup, hasEveryAddress, isBroad, isInNetworks } from './networks.ts';

describe('a list of addresses and networks', () => {
  it('an empty list does not contain any address, and no list contains an invalid address', () => {
    assert.equal(isInNetworks('203.0.113.1', []), false);
    for (const text of ['', 'unknown', '1.2.3.4.5'])
      assert.equal(isInNetworks(text, ['0.0.0.0/0', '::/0']), false, text);
  });

  it('an IPv4-mapped IPv6 address equals its IPv4 address, in the list and as input', () => {
    assert.equal(isInNetworks('::ffff:203.0.113.1', ['203.0.113.1']), true);
    assert.equal(isInNetworks('::ffff:cb00:7101', ['203.0.113.0/24']), true);
    assert.equal(isInNetworks('203.0.113.1', ['::ffff:203.0.113.1']), true);
    assert.equal(isInNetworks('203.0.113.1', ['::ffff:203.0.113.0/120']), true);
    assert.equal(isInNetworks('203.0.114.1', ['::ffff:203.0.113.0/120']), false);
  });

  it('a network of one IP version never contains an address of the other', () => {
    assert.equal(isInNetworks('203.0.113.1', ['::/0']), false);
    assert.equal(isInNetworks('2001:db8::1', ['0.0.0.0/0']), false);
  });

  it('an invalid entry of a list does not match an address', () => {
    assert.equal(isInNetworks('1.2.3.4', ['1.2.3.4/33', '1.2.3/24', ':::']), false);
  });

  it('a network contains its first and last address, and no address outside', () => {
    const list = ['10.1.2.64/26', '2001:db8::/32'];
    const inside = (texts: readonly string[]) => texts.map((text) => isInNetworks(text, list));
    assert.deepEqual(inside(['10.1.2.63', '10.1.2.64', '10.1.2.127', '10.1.2.128']), [false, true, true, false]);
    assert.deepEqual(inside(['2001:db7:ffff::1', '2001:db8::', '2001:db8:ffff::1', '2001:db9::']), [
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('the group of an address', () => {
  it('the group of an address is the address itself, or its /64 for IPv6, in every spelling', () => {
    const groups = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'].map(addressGroup);
    assert.deepEqual(groups, Array(3).fill('203.0.113.7'));
    assert.equal(addressGroup('2001:db8::1'), addressGroup('2001:0DB8:0:0:ffff::2'));
    assert.notEqual(addressGroup('2001:db8::1'), addressGroup('2001:db8:0:1::1'));
  });

  it('a string that is not an address has no address group', () => {
    assert.deepEqual(['', 'unknown', '1.2.3.4.5'].map(addressGroup), [undefined, undefined, undefined]);
  });
});

describe('isBroad', () => {
  const limit = { ipv4: 16, ipv6: 32 };

  it('isBroad adds up the public networks of a list', () => {
    assert.equal(isBroad(['203.0.0.0/16', '2001:db8::/32'], limit), false);
    assert.equal(isBroad(['203.0.0.0/16', '204.0.0.1'], limit), true);
    assert.equal(isBroad(['2001:db8::/32', '2001:db9::/64'], limit), true);
  });

  it('isBroad ignores networks that the public internet cannot reach', () => {
    assert.equal(isBroad(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '::1'], limit), false);
  });

  it('isBroad is true for a list of all addresses, in every notation', () => {
    for (const list of [['0.0.0.0/0'], ['::/0'], ['::ffff:0:0/96'], ['0.0.0.0/1', '128.0.0.0/1'], ['2000::/3']])
      assert.equal(isBroad(list, { ipv4: 8, ipv6: 20 }), true, list.join());
  });
});

describe('hasEveryAddress', () => {
  it('hasEveryAddress is true only if a network has prefix length 0, in every notation', () => {
    for (const entry of ['0.0.0.0/0', '::/0', '::ffff:0:0/96', '203.0.113.9/0'])
      assert.equal(hasEveryAddress(['10.0.0.1', entry]), true, entry);
    assert.equal(hasEveryAddress(['0.0.0.0/1', '::/1']), false);
  });
});
