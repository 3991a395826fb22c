import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listOf, networks, oneOf, readMinorOrZero, type TextReader, wholeNumber } from './text-readers.ts';

describe('a parser', () => {
  const flags = oneOf(['off', 'on']);
  const hours = wholeNumber(0, 168);
  const list = listOf((text) => hours.read(text), 'hours');
  const cases: readonly [reader: TextReader<unknown>, text: string, value: unknown][] = [
    [flags, 'on', 'on'],
    [flags, 'On', undefined],
    [flags, ' on', undefined],
    [flags, 'off, on', undefined],
    [flags, '', undefined],
    [hours, '0', 0],
    [hours, '168', 168],
    [hours, '169', undefined],
    [hours, '-1', undefined],
    [hours, '1e2', undefined],
    [hours, '1.0', undefined],
    [hours, '٣', undefined],
    [hours, '', undefined],
    [list, '1', [1]],
    [list, '1, 2 ,3', [1, 2, 3]],
    [list, '1,,2', undefined],
    [list, '1,x', undefined],
    [list, '', undefined],
    [networks, '192.0.2.1, 10.0.0.0/8', ['192.0.2.1', '10.0.0.0/8']],
    [networks, '2001:db8::/32', ['2001:db8::/32']],
    [networks, '10.0.0.0/33', undefined],
    [networks, '2001:db8::/129', undefined],
    [networks, '10.1', undefined],
    [networks, '010.0.0.1', undefined],
    [networks, 'example.com', undefined],
  ];
  for (const [reader, text, value] of cases) {
    it(`the parser for ${reader.accepts} ${value === undefined ? 'rejects' : 'accepts'} "${text}"`, () => {
      assert.deepEqual(reader.read(text), value);
    });
  }

  it('readMinorOrZero accepts zero and every valid amount', () => {
    const read = ['0', '0.00', '0.01', '50000.00', '00', '-1', '0.000', '', '1e3'].map((text) =>
      readMinorOrZero(text, 'MXN'),
    );
    assert.deepEqual(read, [0n, 0n, 1n, 5_000_000n, undefined, undefined, undefined, undefined, undefined]);
  });
});
