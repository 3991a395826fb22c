import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Drawn, expressionFor, type Names, namesOnePayout, quoted } from './expressions.ts';

const NAMES: readonly [Names, Names] = [
  { merchant_id: 'model-0', payout_id: 'P10', transaction_id: '2048', accepted_at: '2026-01-02 03:04:05.006+00' },
  { merchant_id: 'model-1', payout_id: 'P11', transaction_id: '2049', accepted_at: '2026-01-02 03:04:06+00' },
];

function expression(type: string, one: string | null, other: string | null, drawn: Drawn = new Map()): string {
  return expressionFor({ name: 'c', type }, [{ c: one }, { c: other }], NAMES, drawn);
}

test('the specimen turns a value that is equal in both payouts into a constant', () => {
  assert.equal(expression('text', 'EUR', 'EUR'), `'EUR'`);
  assert.equal(expression('bigint', '100', '100'), `('100')::bigint`);
  assert.equal(expression('text', null, null), 'null::text');
  assert.equal(expression('text', '', ''), `('')::text`);
});

test('the specimen turns a value that contains an id of the payout into an expression with that id', () => {
  assert.equal(expression('text', 'model-0', 'model-1'), 'k.merchant_id');
  assert.equal(expression('bigint', '2048', '2049'), 'k.number');
  assert.equal(
    expression('text', 'payout/P10/reserve', 'payout/P11/reserve'),
    `('payout/' || k.payout_id || '/reserve')::text`,
  );
  assert.equal(expression('jsonb', '["P10"]', '["P11"]'), `('["' || k.payout_id || '"]')::jsonb`);
});

test('the specimen turns an id that contains the payout’s time into an expression with the other payout’s time', () => {
  const idOf = (number: string, time: string) => `payout_${number}_${Date.parse(time).toString(36)}`;
  const ids = [idOf('2048', '2026-01-02T03:04:05.006Z'), idOf('2049', '2026-01-02T03:04:06Z')] as const;
  assert.equal(expression('text', ...ids), `('payout_' || k.number || '_' || k.time_in_id)::text`);
});

test('the specimen does not replace the payout’s number inside a longer number', () => {
  assert.equal(expression('text', 'x120480', 'x120480'), `'x120480'`);
});

test('the specimen turns a time into the payout’s time plus the same interval', () => {
  assert.equal(expression('timestamp with time zone', '2026-01-02 03:04:05.006+00', ''), 'k.at');
  assert.equal(
    expression('timestamp with time zone', '2026-01-02 03:04:07.5+00', ''),
    `k.at + interval '2494 milliseconds'`,
  );
  assert.equal(expression('timestamp with time zone', 'infinity', 'infinity'), `'infinity'::timestamptz`);
});

test('the specimen generates a random value of the same length and keeps equal values equal', () => {
  const drawn: Drawn = new Map();
  const first = expression('text', 'aB3-dE', 'xY9_zQ', drawn);
  assert.match(first, /^substr\(md5\('0\/0\/' \|\| k\.number\), 1, 6\)$/);
  assert.notEqual(expression('text', 'other1', 'other2', drawn), first);
  assert.equal(expression('text', 'aB3-dE', 'xY9_zQ', drawn), first);
  assert.match(expression('text', 'q'.repeat(40), 'r'.repeat(40), drawn), /md5\(.*\|\| md5\(.*, 1, 40\)$/);
});

test('the specimen generates a random value after the other payout’s time if the value follows a time', () => {
  const tokenOf = (time: string, drawnText: string) => Date.parse(time).toString(36) + drawnText;
  const tokens = [tokenOf('2026-01-02T03:04:05.006Z', 'aB3-dE'), tokenOf('2026-01-02T03:04:06Z', 'xY9_zQ')] as const;
  assert.equal(expression('text', ...tokens), `k.time_in_id || substr(md5('0/0/' || k.number), 1, 6)`);
});

test('quoted splits a string after a colon, so that pgbench does not read the next word as a variable', () => {
  assert.equal(quoted('clearing:bank'), `('clearing:' || 'bank')`);
  assert.equal(quoted("it's"), `'it''s'`);
});

test('namesOnePayout distinguishes the rows of one payout from those of a merchant by their keys', () => {
  assert.equal(namesOnePayout(`('payout/' || k.payout_id)::text`), true);
  assert.equal(namesOnePayout(`substr(md5('0/0/' || k.number), 1, 6)`), true);
  assert.equal(namesOnePayout('k.merchant_id'), false);
});
