import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressGroup, isInNetworks } from './networks.ts';

describe('a list of addresses and networks', () => {
  it('has nobody in it when it is empty, and nobody whose address is none', () => {
    assert.equal(isInNetworks('203.0.113.1', []), false);
    for (const text of ['', 'unknown', '1.2.3.4.5'])
      assert.equal(isInNetworks(text, ['0.0.0.0/0', '::/0']), false, text);
  });

  it('takes IPv4 inside IPv6 as IPv4, on either side', () => {
    assert.equal(isInNetworks('::ffff:203.0.113.1', ['203.0.113.1']), true);
    assert.equal(isInNetworks('::ffff:cb00:7101', ['203.0.113.0/24']), true);
    assert.equal(isInNetworks('203.0.113.1', ['::ffff:203.0.113.1']), true);
    assert.equal(isInNetworks('203.0.113.1', ['::ffff:203.0.113.0/120']), true);
    assert.equal(isInNetworks('203.0.114.1', ['::ffff:203.0.113.0/120']), false);
  });

  it('never has one kind of address by a network of the other', () => {
    assert.equal(isInNetworks('203.0.113.1', ['::/0']), false);
    assert.equal(isInNetworks('2001:db8::1', ['0.0.0.0/0']), false);
  });

  it('has nobody by an entry that is none', () => {
    assert.equal(isInNetworks('1.2.3.4', ['1.2.3.4/33', '1.2.3/24', ':::']), false);
  });

  it('knows the ends of a network', () => {
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
  it('is the address itself, or the /64 of an IPv6 one, however it is written', () => {
    const groups = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'].map(addressGroup);
    assert.deepEqual(groups, Array(3).fill('203.0.113.7'));
    assert.equal(addressGroup('2001:db8::1'), addressGroup('2001:0DB8:0:0:ffff::2'));
    assert.notEqual(addressGroup('2001:db8::1'), addressGroup('2001:db8:0:1::1'));
  });

  it('is none where there is no address', () => {
    assert.deepEqual(['', 'unknown', '1.2.3.4.5'].map(addressGroup), [undefined, undefined, undefined]);
  });
});
