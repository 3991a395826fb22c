import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DAY_MS } from '../../foundation/clock.ts';
import { progressOf } from './rail-progress.ts';
import { type Recovery, timeInDoubtFor } from './recovery.ts';

const COMPLETED = { at: 200, by: 'Ann', forcedBecause: null, asksUntil: null };
const RECOVERY: Recovery = {
  startedAt: 100,
  knownUntil: 50,
  startedBy: 'Ann',
  reason: 'backup',
  completed: null,
  rails: [{ rail: 'completed', comparedAt: 150, completed: COMPLETED }],
};
const RAILS = [
  { name: 'completed', methods: new Set([8]) },
  { name: 'open', methods: new Set([8, 9]) },
  { name: 'apart', methods: new Set([12]) },
  { name: 'refunds', methods: new Set<number>(), ownPurposes: new Set(['refund'] as const) },
];

it('a completed rail still counts as recovering while a recovering rail shares a method with it', () => {
  assert.equal(timeInDoubtFor(RECOVERY, RAILS, 'completed', 300), RECOVERY);
});

it('a completed rail no longer counts as recovering if no recovering rail shares a method with it', () => {
  const apart = RAILS.filter(({ name }) => name !== 'open');
  assert.equal(timeInDoubtFor(RECOVERY, apart, 'completed', 300), undefined);
});

it('a rail without methods counts as recovering until its own recovery is completed', () => {
  assert.equal(timeInDoubtFor(RECOVERY, RAILS, 'refunds', 300), RECOVERY);
  const rails = [...RECOVERY.rails, { rail: 'refunds', comparedAt: 150, completed: COMPLETED }];
  assert.equal(timeInDoubtFor({ ...RECOVERY, rails }, RAILS, 'refunds', 300), undefined);
});

it('the gateway queries a rail that the completed recovery skipped for thirty more days', () => {
  const completed = { at: 300, by: 'Ann' };
  const recovery = { ...RECOVERY, completed };
  assert.equal(timeInDoubtFor(recovery, RAILS, 'apart', 300 + 30 * DAY_MS - 1), recovery);
  assert.equal(timeInDoubtFor(recovery, RAILS, 'apart', 300 + 30 * DAY_MS), undefined);
});

it('a gateway that was never restored has no recovery window', () => {
  assert.equal(timeInDoubtFor(undefined, RAILS, 'open', 300), undefined);
});

it('the gateway queries the banks of a completed rail until the instant that was set at its completion', () => {
  const rails = [{ rail: 'apart', comparedAt: 150, completed: { ...COMPLETED, asksUntil: 400 } }];
  const recovery = { ...RECOVERY, completed: { at: 300, by: 'Ann' }, rails };
  assert.equal(timeInDoubtFor(recovery, RAILS, 'apart', 399), recovery);
  assert.equal(timeInDoubtFor(recovery, RAILS, 'apart', 400), undefined);
});

it('a rail that only other processes configure cannot be completed without force', () => {
  const elsewhere = { name: 'elsewhere', hasList: false, notFoundProofMs: 0, isUnconfigured: true } as const;
  const facts = { recovery: RECOVERY, unasked: [], unaccounted: new Map() };
  assert.match(progressOf(elsewhere, facts).missing.join(), /does not configure it/);
});
