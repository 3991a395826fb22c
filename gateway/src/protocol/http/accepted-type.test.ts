import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cpuMsOf } from '../../../test/support/tools/cpu-time.ts';
import { acceptedType } from './accepted-type.ts';

const OFFERED = ['application/json', 'text/csv'] as const;

const CASES: readonly (readonly [accept: string | undefined, type: (typeof OFFERED)[number]])[] = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/csv; charset=utf-8; header=present', 'text/csv'],
  ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
  ['text/csv;q=0.4, application/json;q=0.5', 'application/json'],
  ['text/csv, application/json', 'application/json'],
  ['application/json;q=0, */*', 'text/csv'],
  ['text/csv;q=0, */*;q=0.1', 'application/json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ['image/png', 'application/json'],
  ['*/*;q=0', 'application/json'],
  ['nonsense, ;;, text/csv', 'text/csv'],
  ['text/csv;q=2, application/json;q=0.9', 'text/csv'],
];

it('content negotiation picks the type with the most weight, prefers specific ranges and falls back to the default', () => {
  for (const [accept, type] of CASES) assert.equal(acceptedType(accept, OFFERED), type, accept);
});

it('content negotiation reads a crafted Accept header of 16 kB in under half a second', () => {
  const tookMs = cpuMsOf(() => {
    acceptedType(`${'a/a;'.repeat(4_000)}!`, OFFERED);
    acceptedType(`text/csv${'; q'.repeat(5_000)}`, OFFERED);
  });
  assert.ok(tookMs < 500, `${tookMs} ms`);
});
