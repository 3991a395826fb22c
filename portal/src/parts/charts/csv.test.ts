import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvOf } from './csv.ts';

describe('the file of a chart', () => {
  it('the file of a chart quotes separators and quotes, and does not let a spreadsheet run a cell', () => {
    assert.equal(
      csvOf([
        ['day', 'a "b", c'],
        ['=1+1', '-5.00'],
      ]),
      'day,"a ""b"", c"\r\n\'=1+1,-5.00\r\n',
    );
  });
});
