import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { arrayElement, arraysOf, byteaElement, columnArrays, unnestFrom } from './parameters.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase('empty');
});
after(() => test.close());

/** PostgreSQL does not store an NUL, and UTF-8 has no lone surrogates. */
const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
const rows = fc.array(
  fc.record({
    text: fc.option(fc.oneof(texts, fc.constantFrom('', 'NULL', '"', '\\', '{}', ',', '\\"', ' ')), { nil: null }),
    number: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { nil: null }),
    bytes: fc.uint8Array({ maxLength: 40 }),
  }),
  { maxLength: 8 },
);

it('array parameters deliver every string, number and byte string to PostgreSQL unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (wanted) => {
      const elements = wanted.map((row) => [
        arrayElement(row.text),
        arrayElement(row.number),
        byteaElement(Buffer.from(row.bytes)),
      ]);
      const columns = { text: 'text', number: 'bigint', bytes: 'bytea' };
      const read = await test.pool.query(`select * from ${unnestFrom(1, columns)}`, arraysOf(elements, 3));
      const expected = wanted.map(({ text, number, bytes }) => ({
        text,
        number: number?.toString() ?? null,
        bytes: Buffer.from(bytes),
      }));
      assert.deepEqual(read.rows, expected);
    }),
    { numRuns: 60 },
  );
});

it('an absent byte string in an array parameter arrives as null', async () => {
  const read = await test.pool.query('select $1::bytea[] as bytes', arraysOf([[byteaElement(undefined)]], 1));
  assert.deepEqual(read.rows, [{ bytes: [null] }]);
});

it('columns of objects are read as booleans, JSON and nulls', async () => {
  const columns = { yes: 'boolean', json: 'jsonb', absent: 'text' };
  const rows = [
    { yes: true, json: [['name', '"quoted" \\']] },
    { yes: false, json: { a: 1 }, absent: null },
  ];
  const read = await test.pool.query(`select * from ${unnestFrom(1, columns)}`, columnArrays(rows, columns));
  assert.deepEqual(
    read.rows,
    rows.map((row) => ({ ...row, absent: null })),
  );
});
