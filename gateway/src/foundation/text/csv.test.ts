import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';
import { withoutFormulaStart } from './spreadsheet-formula.ts';

/** The cells as a spreadsheet of most of Europe reads them: it does not know a comma, and quotes only around an entire cell. */
const cellsBySemicolon = (line: string) => line.split(/[;\r\n]/).map((cell) => cell.replace(/^""(?!")/, ''));

const TEXTS = ['=1+1', ' -1', '\t@x', 'a;=1+1;', 'a; ＝1', 'a","b;+1', 'a\n=1+1', '{"concept":";=1+1;"}', 'a;"=1&";'];

for (const text of TEXTS)
  test(`a spreadsheet does not run the cell ${JSON.stringify(text)}, whichever separator it uses`, () => {
    const line = csvLine(['first', text, 'last']);
    for (const cell of cellsBySemicolon(line)) assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/);
    assert.doesNotMatch(line.slice('first,'.length).replace(/^"/, ''), /^\s*[=+\-@]/);
    for (const cell of cellsBySemicolon(withoutFormulaStart(text))) assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/);
  });

test('a cell without a formula stays unchanged', () => {
  assert.equal(csvLine(['a-b', '1;2', 'x=1', '']), 'a-b,1;2,x=1,');
});
