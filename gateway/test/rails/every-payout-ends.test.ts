/**
 * Drives payouts with arbitrary bank responses and notifications at any time, with dying workers and any operator actions,
 * sequentially or concurrently. After its deadline, each payout must be final, with one callback, or be on the operator's
 * list. Money leaves at most once over all rails, unless a bank falsely denied having received the payout.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { RESOLUTION_OUTCOMES } from '../../src/domain/payouts/resolve-payout.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import { ASKED, type DrawnBehaviour, NEWS, SENT } from '../support/payouts/drawn-banks.ts';
import { type Act, FATES, type Fate, type Outcome, openDrawnPayouts } from '../support/payouts/drawn-payouts.ts';

const RUNS = process.env['TEST_FULL'] ? 1_000 : 20;

const payouts = await openDrawnPayouts();
after(() => payouts.verifyAndClose());

/** Draws inconclusive responses more often, because the steps after a final response matter less. */
const sent = fc.oneof(fc.constantFrom(...SENT), fc.constantFrom('pending', 'not_accepted', 'unknown'));
const asked = fc.oneof(fc.constantFrom(...ASKED), fc.constantFrom('pending', 'not_found', 'unknown'));
const behaviour: fc.Arbitrary<DrawnBehaviour> = fc.record({
  sends: fc.array(fc.record({ kind: sent, pays: fc.boolean() }), { minLength: 1, maxLength: 4 }),
  asks: fc.array(asked, { minLength: 1, maxLength: 6 }),
  isHonest: fc.boolean(),
  decidesWithinMs: fc.constantFrom(HOUR_MS, DAY_MS, 3 * DAY_MS),
});

const TIMES = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, DAY_MS, 10 * DAY_MS] as const;
const fate: fc.Arbitrary<Fate> = fc.oneof(fc.constant('works' as const), fc.constantFrom(...FATES));
const place = fc.nat(1);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('work' as const), fate }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(...TIMES) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('wake' as const, 'cancel' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('news' as const), bank: place, event: fc.constantFrom(...NEWS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      bank: place,
      outcome: fc.constantFrom(...RESOLUTION_OUTCOMES),
    }),
  },
);

const together: fc.Arbitrary<Act> = fc.record({
  kind: fc.constant('together' as const),
  acts: fc.array(act, { minLength: 2, maxLength: 4 }),
});

function assertEnded({ payout, stage, overdue, results, banks }: Outcome): void {
  assert.ok(payout);
  const isFinal = payout.state !== 'pending';
  assert.deepEqual(
    overdue.map((each) => each.stage),
    isFinal ? [] : [stage],
    'a pending payout is on the operator’s list, and no other payout is',
  );
  assert.equal(results, isFinal ? 1 : 0, 'one callback for a final payout, and none before');
  const executions = banks.map((bank) => bank.executions());
  const isBelow = executions.reduce((sum, count) => sum + count, 0) <= 1;
  assert.ok(isBelow || banks.some((bank) => bank.hasLied()), `paid ${executions} times although no bank lied`);
}

/** Honest banks that do not say whether they paid, with steps around the moment at which "not found" becomes proof. */
const openBehaviour: fc.Arbitrary<DrawnBehaviour> = fc.record({
  sends: fc.array(
    fc.record({
      kind: fc.constantFrom('unknown', 'unknown', 'not_accepted'),
      pays: fc.constantFrom(true, true, false),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  asks: fc.array(fc.constantFrom('not_found', 'not_found', 'unknown'), { minLength: 1, maxLength: 4 }),
  isHonest: fc.constant(true),
  decidesWithinMs: fc.constant(HOUR_MS),
});
const openRound: fc.Arbitrary<Act[]> = fc.tuple(
  fc.record({ kind: fc.constant('work' as const), fate }),
  fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(SECOND_MS, 3 * SECOND_MS, MINUTE_MS) }),
  fc.constantFrom<Act>({ kind: 'wake' }, { kind: 'time', ms: SECOND_MS }),
);

const bank = (sent: (typeof SENT)[number], asked: (typeof ASKED)[number]): DrawnBehaviour => ({
  sends: [{ kind: sent, pays: false }],
  asks: [asked],
  isHonest: true,
  decidesWithinMs: DAY_MS,
});

describe('payouts after their deadline', () => {
  it('a payout is final or on the operator’s list after its deadline, whatever banks return and workers do', async () => {
    const run = fc.asyncProperty(
      fc.tuple(behaviour, behaviour),
      fc.array(fc.oneof(act, together), { maxLength: 8 }),
      fate,
      async (banks, acts, last) => assertEnded(await payouts.run(banks, acts, last)),
    );
    await fc.assert(run, { numRuns: RUNS });
  });

  it('a payout is paid at most once when banks return unknown outcomes and workers resume after their lease', async () => {
    const run = fc.asyncProperty(
      fc.tuple(openBehaviour, openBehaviour),
      fc.array(openRound, { minLength: 2, maxLength: 6 }),
      async (banks, rounds) => {
        const outcome = await payouts.run(banks, rounds.flat());
        assertEnded(outcome);
        assert.ok(!outcome.banks.some((each) => each.hasLied()), 'an honest bank lied');
      },
    );
    await fc.assert(run, { numRuns: RUNS });
  });

  const OPEN: readonly (readonly [stage: string, bank: DrawnBehaviour, last: Fate])[] = [
    ['queued', bank('not_accepted', 'unknown'), 'works'],
    ['sending', bank('not_accepted', 'unknown'), 'dies_before_call'],
    ['at_bank', bank('pending', 'pending'), 'works'],
    ['unknown', bank('unknown', 'unknown'), 'works'],
  ];
  for (const [stage, silent, last] of OPEN) {
    it(`the gateway does not block a payout that its banks leave at the stage ${stage}`, async () => {
      const outcome = await payouts.run([silent, silent], [], last);
      assertEnded(outcome);
      assert.deepEqual([outcome.payout?.state, outcome.stage], ['pending', stage]);
    });
  }

  for (const word of ['executed', 'declined', 'reversed'] as const) {
    it(`a payout whose bank never responded to the send reaches its final state when the bank reports ${word} to a query`, async () => {
      const outcome = await payouts.run([bank('unknown', word), bank('executed', word)], []);
      assertEnded(outcome);
      assert.equal(outcome.payout?.state, word === 'executed' ? 'success' : 'blocked');
    });
  }

  it('a payout is paid once when a worker resumes before its write after another bank has paid', async () => {
    const sleepy: DrawnBehaviour = { ...bank('unknown', 'not_found'), sends: [{ kind: 'unknown', pays: true }] };
    const outcome = await payouts.run(
      [sleepy, bank('executed', 'executed')],
      [
        { kind: 'work', fate: 'late_write' },
        { kind: 'time', ms: MINUTE_MS },
        { kind: 'work', fate: 'works' },
        { kind: 'time', ms: SECOND_MS },
        { kind: 'work', fate: 'works' },
        { kind: 'wake' },
      ],
    );
    assertEnded(outcome);
    assert.deepEqual(
      outcome.banks.map((each) => each.executions()),
      [0, 1],
    );
  });
});
