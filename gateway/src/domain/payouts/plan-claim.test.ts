/** Every combination of the facts that decide a claimed payout. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pause } from '../routing/pause-store.ts';
import { HOLDS } from './hold-reasons.ts';
import { type ClaimFacts, type ClaimStep, planClaim } from './plan-claim.ts';

const RESTORED = 1_000;
const OWN = 'own_rail';

const pauseOf = (scope: Pause['scope'], target: string): Pause => ({ scope, target, since: 0, reason: 'a trial' });

const VALUES = {
  stage: ['awaiting_approval', 'queued', 'sending', 'at_bank', 'unknown'],
  isBegun: [false, true],
  holder: [undefined, OWN, 'other_rail'],
  paidBy: [null, 'earlier_rail'],
  stageSince: [RESTORED - 1, RESTORED + 1],
  askedAt: [null, RESTORED + 1],
  doubt: [null, { knownUntil: 0, startedAt: RESTORED }],
  heldBefore: [undefined, RESTORED],
  statusCall: ['ask', 'repeat'],
  pause: [undefined, pauseOf('merchant', 'M1'), pauseOf('rail', OWN)],
  isRailDown: [false, true],
  closedUntil: [undefined, 9_000],
  heldBecause: [null, 'seal_broken'],
  isAsAccepted: [() => true, () => false],
} as const satisfies { readonly [Fact in Exclude<keyof ClaimFacts, 'rail' | 'seal'>]: readonly ClaimFacts[Fact][] };

function* allFacts(): Generator<ClaimFacts> {
  const names = Object.keys(VALUES) as (keyof typeof VALUES)[];
  const many = names.reduce((product, name) => product * VALUES[name].length, 1);
  for (let index = 0; index < many; index++) {
    let rest = index;
    const facts = names.map((name) => {
      const values = VALUES[name];
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    const made = { rail: OWN, ...Object.fromEntries(facts) } as ClaimFacts;
    if (!made.isBegun || made.stage === 'sending') yield made;
  }
}

const isToSend = ({ isBegun, holder }: ClaimFacts) => isBegun && holder === undefined;
const isAskable = (facts: ClaimFacts) => !isUnsent(facts) && (!facts.isBegun || facts.holder === OWN);
const isUnsent = ({ stage }: ClaimFacts) => stage === 'queued' || stage === 'awaiting_approval';
const mustAsk = ({ doubt, askedAt, isRailDown }: ClaimFacts) => !isRailDown && doubt !== null && askedAt === null;
const isFromBefore = ({ heldBefore, stageSince }: ClaimFacts) => heldBefore !== undefined && stageSince < heldBefore;
const isFree = ({ pause, closedUntil, heldBefore, holder }: ClaimFacts) =>
  !(pause || holder || closedUntil !== undefined || heldBefore !== undefined);
const isRailHeld = ({ isRailDown, closedUntil }: ClaimFacts) => isRailDown || closedUntil !== undefined;

/** The facts under which the plan may be this step. */
const POSSIBLE: { readonly [Step in ClaimStep['do']]: (facts: ClaimFacts, step: ClaimStep) => boolean } = {
  send: (facts) => isToSend(facts) && facts.isAsAccepted(),
  reroute_to: (facts) => facts.isBegun && facts.holder === 'other_rail',
  ask: (facts) => isAskable(facts) && facts.statusCall === 'ask' && facts.isAsAccepted() && !isFree(facts),
  confirm: (facts) => isAskable(facts) && facts.statusCall === 'ask' && facts.isAsAccepted() && isFree(facts),
  repeat: (facts) => isAskable(facts) && facts.statusCall === 'repeat' && facts.isAsAccepted(),
  end_as_paid: (facts) => isUnsent(facts) && facts.paidBy !== null,
  ask_first: (facts) => isUnsent(facts) && mustAsk(facts) && facts.statusCall === 'ask',
  repeat_first: (facts) =>
    isUnsent(facts) &&
    mustAsk(facts) &&
    facts.statusCall === 'repeat' &&
    facts.isAsAccepted() &&
    (facts.holder === OWN || (facts.stage === 'queued' && !(isFromBefore(facts) || facts.pause || isRailHeld(facts)))),
  begin: (facts) =>
    facts.stage === 'queued' &&
    facts.paidBy === null &&
    facts.heldBecause === null &&
    !mustAsk(facts) &&
    !(facts.pause || isRailHeld(facts)),
  look_again: (facts) =>
    facts.paidBy === null &&
    (facts.heldBecause === null ? facts.stage === 'awaiting_approval' : isUnsent(facts) && facts.isAsAccepted()),
  hold: (facts, step) => step.do === 'hold' && HOLDABLE[step.because](facts),
};

const HOLDABLE: { readonly [Reason in keyof typeof HOLDS]: (facts: ClaimFacts) => boolean } = {
  query_would_send: (facts) =>
    isUnsent(facts) &&
    mustAsk(facts) &&
    facts.statusCall === 'repeat' &&
    (isFromBefore(facts) || facts.stage === 'awaiting_approval'),
  seal_broken: (facts) => !facts.isAsAccepted() && (isUnsent(facts) || isToSend(facts) || isAskable(facts)),
  recovering: (facts) => facts.stage === 'queued' && isFromBefore(facts) && facts.askedAt !== null && !mustAsk(facts),
  paused: (facts) => isUnsent(facts) && facts.pause !== undefined,
  rail_down: (facts) => isUnsent(facts) && facts.isRailDown && !facts.pause,
  closed: (facts) => isUnsent(facts) && facts.closedUntil !== undefined && !facts.isRailDown && !facts.pause,
};

const PLANNED = Array.from(allFacts(), (facts) => ({ facts, step: planClaim(facts) }));

describe('the plan of a claimed payout', () => {
  it('the plan of a claim is allowed by the claim’s facts, in every combination of facts', () => {
    for (const { facts, step } of PLANNED)
      if (!POSSIBLE[step.do](facts, step)) assert.fail(`${JSON.stringify(step)} for ${JSON.stringify(facts)}`);
  });

  it('the plans of all combinations of facts cover every step and every reason to hold a payout', () => {
    const found = new Set<string>(PLANNED.map(({ step }) => (step.do === 'hold' ? step.because : step.do)));
    const { hold: _, ...steps } = POSSIBLE;
    assert.deepEqual([...found].sort(), [...Object.keys(steps), ...Object.keys(HOLDS)].sort());
  });

  it('a held payout may move to another rail only if its rail is down, closed or paused', () => {
    for (const { facts, step } of PLANNED) {
      if (step.do !== 'hold') continue;
      const isOfRail = step.because === 'rail_down' || step.because === 'closed';
      const isWholeRail = isOfRail || (step.because === 'paused' && facts.pause?.scope === 'rail');
      assert.equal(step.mayReroute, isWholeRail && !isFromBefore(facts));
    }
  });

  it('a worker neither sends, repeats nor queries a payout whose row was changed', () => {
    const CALLS: readonly ClaimStep['do'][] = ['send', 'ask', 'confirm', 'repeat', 'repeat_first'];
    for (const { facts, step } of PLANNED)
      assert(facts.isAsAccepted() || !CALLS.includes(step.do), JSON.stringify(facts));
  });

  it('a worker begins an attempt only for a payout without a reason to hold it', () => {
    for (const { facts, step } of PLANNED) assert.notEqual(step.do, facts.isBegun ? 'begin' : 'send');
  });
});
