import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeRun, type ReportedResult } from './conformance-run.ts';

const CHECKS = [
  { name: 'payout', isRequired: true },
  { name: 'other_amount', isRequired: true },
  { name: 'event', isRequired: false },
];

type State = ReportedResult['state'];

function judged(states: Readonly<Record<string, State>>) {
  const results = Object.entries(states).map(([name, state]) => ({ name, state, found: '' }));
  return judgeRun(results, CHECKS, 'http://shop.test/', 0);
}

describe('a reported conformance run', () => {
  for (const [payout, other_amount, event, isPassed] of [
    ['passed', 'passed', 'passed', true],
    ['passed', 'passed', 'not_examined', true],
    ['passed', 'not_examined', 'passed', false],
    ['passed', 'passed', 'failed', false],
    ['failed', 'passed', 'passed', false],
  ] as const)
    it(`a reported conformance run ${isPassed ? 'passes' : 'does not pass'} with payout ${payout}, other_amount ${other_amount} and event ${event}`, () => {
      const run = judged({ payout, other_amount, event });
      assert.ok(run.ok);
      const states = [payout, other_amount, event] as readonly State[];
      const count = (...wanted: State[]) => states.filter((state) => wanted.includes(state)).length;
      assert.deepEqual(
        [run.value.isPassed, run.value.passed, run.value.examined, run.value.findings.length],
        [isPassed, count('passed'), count('passed', 'failed'), count('failed', 'not_examined')],
      );
    });

  it('a reported conformance run is rejected with a missing, an unknown or a repeated check', () => {
    assert.deepEqual(judged({ payout: 'passed', event: 'passed' }), { ok: false, error: 'other_amount' });
    const all = { payout: 'passed', other_amount: 'passed', event: 'passed' } as const;
    assert.deepEqual(judged({ ...all, later: 'passed' }), { ok: false, error: 'later' });
    const twice = [...Object.keys(all), 'event'].map((name) => ({ name, state: 'passed' as const, found: '' }));
    assert.deepEqual(judgeRun(twice, CHECKS, 'http://shop.test/', 0), { ok: false, error: 'event' });
  });
});
