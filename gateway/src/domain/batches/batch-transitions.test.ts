import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BATCH_STATES, ROW_STATES } from './batch.ts';
import { BATCH_TRANSITIONS, ROW_TRANSITIONS, rowsBefore } from './batch-transitions.ts';

const endOf = (table: Readonly<Record<string, object>>) =>
  Object.keys(table).filter((state) => Object.keys(table[state] ?? {}).length === 0);

it('no transition leaves a finished or cancelled batch', () => {
  assert.deepEqual(endOf(BATCH_TRANSITIONS), ['finished', 'cancelled']);
});

it('an accepted, rejected or cancelled row of a batch never changes its state', () => {
  assert.deepEqual(endOf(ROW_TRANSITIONS), ['accepted', 'rejected', 'cancelled']);
});

it('each state of a batch and of its rows is reached from the first state', () => {
  for (const [states, table] of [
    [BATCH_STATES, BATCH_TRANSITIONS],
    [ROW_STATES, ROW_TRANSITIONS],
  ] satisfies [readonly string[], Readonly<Record<string, Readonly<Record<string, string>>>>][]) {
    const reached = new Set<string>(states.slice(0, 1));
    for (const state of reached)
      for (const next of Object.values<string>((table as Record<string, Record<string, string>>)[state] ?? {}))
        reached.add(next);
    assert.deepEqual([...reached].sort(), [...states].sort());
  }
});

it('a cancellation does not change a row that may already be a payout', () => {
  assert.deepEqual(rowsBefore('cancelled'), ['unchecked', 'ready', 'faulty']);
});

it('a row becomes a payout only after a worker claimed it, and a worker claims only a row that passed its check', () => {
  assert.deepEqual(rowsBefore('accepted'), ['accepting']);
  assert.deepEqual(rowsBefore('claimed'), ['ready']);
  assert.deepEqual(rowsBefore('passed'), ['unchecked']);
});
