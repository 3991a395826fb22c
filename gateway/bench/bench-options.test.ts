import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine } from './bench-options.ts';
import { chooseScenarios } from './scenarios/scenarios.ts';

test('readCommandLine without arguments returns the default options', () => {
  const read = readCommandLine([]);
  assert.ok(read.ok);
  assert.deepEqual(read.value, {
    seconds: 6,
    minutes: 5,
    rate: null,
    rows: [1_000, 1_000_000, 10_000_000],
    only: [],
    full: false,
    json: false,
    resume: false,
    plots: null,
    keep: null,
  });
});

test('readCommandLine reads every option and splits lists', () => {
  const read = readCommandLine(['--only', 'accept,drain', '--seconds', '9', '--rows', '10,2000', '--rate', '700']);
  assert.ok(read.ok);
  const { only, seconds, rows, rate } = read.value;
  assert.deepEqual(
    { only, seconds, rows, rate },
    { only: ['accept', 'drain'], seconds: 9, rows: [10, 2_000], rate: 700 },
  );
});

test('readCommandLine rejects an invalid option and lists the accepted values', () => {
  for (const [args, message] of [
    [['--seconds', '0'], /--seconds accepts/],
    [['--seconds', 'x'], /--seconds accepts/],
    [['--minutes', '0'], /--minutes accepts/],
    [['--rows', '100,10'], /--rows accepts rising/],
    [['--rate', '1.5'], /--rate accepts/],
    [['--resume'], /--resume needs --plots/],
    [['--nonsense'], /--nonsense/],
  ] as const) {
    const read = readCommandLine(args);
    assert.ok(!read.ok, args.join(' '));
    assert.match(read.error, message);
  }
});

test('chooseScenarios finds scenarios by name and group and rejects an unknown name', () => {
  const namesOf = (only: string[], full = false) => chooseScenarios(only, full)?.map(({ name }) => name);
  assert.deepEqual(namesOf(['drain', 'accept']), ['accept', 'drain']);
  assert.deepEqual(namesOf(['deposits']), ['create', 'abonos']);
  assert.equal(namesOf(['accept', 'nothing']), undefined);
  assert.ok(!namesOf([])?.includes('growth'));
  assert.ok(namesOf([], true)?.includes('growth'));
});
