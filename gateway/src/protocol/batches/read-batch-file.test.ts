/** Files of payouts as people and attackers write them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LARGEST_FILE_BYTES } from '../../domain/batches/batch.ts';
import { readBatchFile } from './read-batch-file.ts';

const HEADER = 'method,account,amount,currency';
const CARD = '4111111111111111';
const row = (account = CARD) => `9,${account},1.00,EUR`;

async function faultOf(file: string | Buffer): Promise<string> {
  const read = await readBatchFile(Buffer.from(file));
  assert.ok(!read.ok, 'the file is rejected');
  assert.ok(!read.error.includes(CARD));
  return read.error;
}

async function rowsOf(text: string) {
  const read = await readBatchFile(Buffer.from(text));
  assert.ok(read.ok, JSON.stringify(read));
  return read.value;
}

describe('a file of payouts', () => {
  it('a file of payouts may use any common dialect of CSV', async () => {
    const plain = await rowsOf(`${HEADER}\n${row()}\n`);
    assert.deepEqual(plain, [
      { line: 2, cells: { method: '9', account: CARD, amount: '1.00', currency: 'EUR' }, fault: null },
    ]);
    const cells = async (text: string) => (await rowsOf(text)).map((each) => each.cells);
    const expected = [plain[0]?.cells];
    assert.deepEqual(await cells(`\ufeff${HEADER}\r\n\r\n${row()}\r\n`), expected);
    assert.deepEqual(await cells(`${HEADER.replaceAll(',', ';')}\n"9";"${CARD}"; 1.00 ;EUR`), expected);
    const name = (await rowsOf(`${HEADER},full_name\n${row()},"Ann ""A"" Lee, Ltd"\n`))[0]?.cells['full_name'];
    assert.equal(name, 'Ann "A" Lee, Ltd');
  });

  it('a file of payouts keeps a formula as text', async () => {
    const [first] = await rowsOf(`${HEADER},full_name\n${row()},"=HYPERLINK(""x"")"\n`);
    assert.equal(first?.cells['full_name'], '=HYPERLINK("x")');
  });

  it('a file of payouts is rejected with a sentence that does not repeat any part of it', async () => {
    assert.match(await faultOf(''), /empty/);
    assert.match(await faultOf(`${HEADER}\n`), /no rows/);
    assert.match(await faultOf(`${HEADER}\n9,${CARD}\0,1.00,EUR`), /NUL/);
    assert.match(await faultOf(Buffer.from(`${HEADER}\n${row()}`, 'utf16le')), /UTF-8|NUL/);
    assert.match(await faultOf(Buffer.from(`${HEADER},full_name\n${row()},Zo\xeb`, 'latin1')), /UTF-8/);
    assert.match(await faultOf(`${row()}\n${row()}`), /Column 1 has an unknown name/);
    assert.match(await faultOf(`${HEADER},${CARD}\n${row()}`), /Column 5 has an unknown name/);
    assert.match(await faultOf(`${HEADER},amount\n${row()},1.00`), /Column 5 repeats/);
    assert.match(await faultOf('method,account,amount\n9,1,1.00'), /currency is missing/);
    assert.match(await faultOf(`${HEADER}\n${row()}\n${HEADER}\n${row()}`), /Line 3 repeats the header/);
    assert.match(await faultOf(`${HEADER}\n9,"${CARD},1.00,EUR`), /quote is open/);
    assert.match(await faultOf(`${HEADER}\n9,${'x'.repeat(100_000)},1.00,EUR`), /too long/);
    assert.match(await faultOf(Buffer.alloc(LARGEST_FILE_BYTES + 1, 'x')), /larger than/);
  });

  it('a file of payouts has at most 10000 rows', async () => {
    const lines = Array.from({ length: 10_000 }, () => row());
    assert.equal((await rowsOf([HEADER, ...lines].join('\n'))).length, 10_000);
    assert.match(await faultOf([HEADER, ...lines, row()].join('\n')), /more than 10000 rows/);
  });

  it('a row of a payout file with a too long cell or too many cells becomes an invalid row', async () => {
    const [many, long] = await rowsOf(`${HEADER}\n${row()},${CARD}\n9,${'x'.repeat(1_001)},1.00,EUR\n`);
    assert.deepEqual([many?.cells, long?.cells], [{}, {}]);
    assert.deepEqual(many?.fault?.slice(0, 2), ['too_many_cells', '5']);
    assert.deepEqual(long?.fault, ['long_cell', '1000']);
  });
});
