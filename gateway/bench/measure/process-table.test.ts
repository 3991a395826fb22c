import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuOfTree, type ProcessEntry, parseStat } from './process-table.ts';

test('parseStat reads the statistics of a process with any name', () => {
  const rest = 'S 17 1 1 0 -1 4194304 1 2 3 4 250 50 7 3 20 0 1 0 100 1 1';
  const entry = { pid: 42, parent: 17, cpuMicros: 3_000_000, endedChildrenMicros: 100_000 };
  assert.deepEqual(parseStat(`42 (node) ${rest}`), entry);
  assert.deepEqual(parseStat(`42 (a) S 9 (b) ${rest}`), entry);
  assert.equal(parseStat(''), undefined, 'it has gone');
});

test('cpuOfTree adds the CPU time of a process and all its descendants, including ended processes', () => {
  const of = (pid: number, parent: number, cpuMicros: number, endedChildrenMicros = 0): ProcessEntry => {
    return { pid, parent, cpuMicros, endedChildrenMicros };
  };
  const table = new Map([of(1, 0, 1_000), of(2, 1, 10, 5), of(3, 2, 20), of(4, 1, 7)].map((one) => [one.pid, one]));
  assert.equal(cpuOfTree(2, table), 35);
  assert.equal(cpuOfTree(9, table), 0);
});
