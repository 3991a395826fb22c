import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  ATTEMPT_EVENTS,
  ATTEMPT_MEANINGS,
  ATTEMPT_REPORTERS,
  ATTEMPT_REPORTS,
  ATTEMPT_TRANSITIONS,
  type AttemptReport,
  type AttemptReporter,
} from './attempt-transitions.ts';
import { ATTEMPT_STATES, type AttemptState, isInFlight } from './payment-attempt.ts';

const IN_FLIGHT = ATTEMPT_STATES.filter((state) => isInFlight({ state }));

const COMBINATIONS = ATTEMPT_STATES.flatMap((state) =>
  ATTEMPT_REPORTERS.flatMap((reporter) => ATTEMPT_REPORTS.map((report) => ({ state, reporter, report }))),
);

function nextOf({ state, reporter, report }: (typeof COMBINATIONS)[number]): AttemptState | undefined {
  return ATTEMPT_TRANSITIONS[state][ATTEMPT_MEANINGS[reporter][report]];
}

it('an attempt in flight has a next state for every event, and a finished attempt only for outcomes', () => {
  for (const state of IN_FLIGHT)
    assert.deepEqual(Object.keys(ATTEMPT_TRANSITIONS[state]).sort(), [...ATTEMPT_EVENTS].sort(), state);
  assert.deepEqual(Object.keys(ATTEMPT_TRANSITIONS.paid), ['paid']);
  assert.deepEqual(Object.keys(ATTEMPT_TRANSITIONS.refused), ['paid', 'repeated']);
});

it('a reported payment marks an attempt as paid in every state, whoever reports it', () => {
  for (const each of COMBINATIONS.filter(({ report }) => report === 'paid')) assert.equal(nextOf(each), 'paid');
});

it('no report leaves a paid attempt in another state', () => {
  for (const each of COMBINATIONS.filter(({ state }) => state === 'paid'))
    assert.equal(nextOf(each) ?? 'paid', 'paid', JSON.stringify(each));
});

it('an attempt is refused only by an outcome or by proof that the provider never received it', () => {
  const proofs: ReadonlySet<AttemptReport> = new Set(['refused', 'never_got', 'not_accepted']);
  for (const each of COMBINATIONS.filter((one) => nextOf(one) === 'refused' && one.state !== 'refused')) {
    assert.ok(proofs.has(each.report), JSON.stringify(each));
    assert.ok(each.report !== 'not_accepted' || each.state === 'starting', 'a later call proves nothing');
  }
});

it('an attempt is abandoned only while its payer has to act', () => {
  const abandoning: ReadonlySet<AttemptReporter> = new Set(['payer', 'deadline']);
  const into = COMBINATIONS.filter((one) => nextOf(one) === 'abandoned');
  assert.ok(into.length > 0);
  for (const each of into) assert.ok(each.state === 'acting' && abandoning.has(each.reporter), JSON.stringify(each));
});

it('a response without a new step keeps the payer’s open step', () => {
  for (const report of ['step', 'unknown', 'not_found', 'never_got'] as const)
    assert.equal(nextOf({ state: 'acting', reporter: 'inquiry', report }), 'acting', report);
});
