import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAYOUT_WAITS } from '../../../contract/texts/payout-waits.ts';
import {
  asMerchantSees,
  type ExplainedPayout,
  explainPending,
  type PendingExplanation,
  type Surroundings,
} from './explain-pending.ts';
import type { HistoryReason } from './history-reason.ts';
import type { Payout } from './payout.ts';
import type { PayoutJob } from './payout-job-store.ts';

const NOW = Date.UTC(2026, 10, 20, 10);
const RESTORED = NOW - 1_000;

const PAYOUT = { merchantId: 'm', purpose: 'payout', method: 9, rail: 'a_rail', acceptedAt: NOW } as Payout;
const JOB: PayoutJob = {
  stage: 'queued',
  stageSince: NOW,
  dueAt: NOW + 5,
  attempts: 0,
  asks: 0,
  note: 'as noted',
  heldBecause: null,
  askedAt: null,
  approveBy: null,
  paidBy: null,
};
const AROUND: Surroundings = {
  pause: undefined,
  statusCall: 'ask',
  isRailDown: false,
  closedUntil: undefined,
  doubt: null,
  heldBefore: undefined,
  configuredRails: new Set(['a_rail']),
};
const doubt = { knownUntil: 0, startedAt: RESTORED };
const pause = { scope: 'merchant', target: 'm', since: NOW + 1, reason: 'fraud' } as const;

interface Case {
  readonly job?: Partial<PayoutJob>;
  readonly around?: Partial<Surroundings>;
  readonly waitsFor: RegExp;
  readonly since?: number;
  readonly nextAt?: number | null;
}

const CASES: readonly (readonly [reason: string, Case])[] = [
  ['awaiting_approval', { job: { stage: 'awaiting_approval', approveBy: 7 }, waitsFor: /approval/, nextAt: 7 }],
  ['queued', { waitsFor: /its first attempt/ }],
  ['sending', { job: { stage: 'sending' }, around: { pause }, waitsFor: /the response of the bank behind a_rail/ }],
  ['rail_missing', { around: { configuredRails: new Set() }, waitsFor: /no longer configures/, nextAt: null }],
  ['recovering', { around: { doubt }, waitsFor: /every bank/ }],
  ['recovering', { around: { doubt, statusCall: 'repeat' }, waitsFor: /every bank/ }],
  ['recovering', { job: { heldBecause: 'rail_down' }, around: { doubt, isRailDown: true }, waitsFor: /every bank/ }],
  [
    'query_would_send',
    {
      job: { stageSince: RESTORED - 1 },
      around: { doubt, heldBefore: RESTORED, statusCall: 'repeat' },
      waitsFor: /every bank/,
      since: RESTORED - 1,
    },
  ],
  [
    'recovering',
    {
      job: { askedAt: NOW, stageSince: RESTORED - 1 },
      around: { heldBefore: RESTORED },
      waitsFor: /completion/,
      since: RESTORED - 1,
    },
  ],
  ['paused', { around: { pause }, waitsFor: /paused merchant m: fraud/, since: NOW + 1, nextAt: null }],
  ['closed', { around: { closedUntil: NOW + 9 }, waitsFor: /the opening hours of a_rail/, nextAt: NOW + 9 }],
  ['rail_down', { job: { heldBecause: 'rail_down' }, waitsFor: /a_rail, which keeps failing/ }],
  ['rail_down', { around: { isRailDown: true }, waitsFor: /a_rail, which keeps failing/ }],
  ['unknown', { job: { stage: 'unknown' }, around: { isRailDown: true }, waitsFor: /no usable response/ }],
  ['seal_broken', { job: { stage: 'unknown', heldBecause: 'seal_broken' }, waitsFor: /does not match its seal/ }],
  ['paid_elsewhere', { job: { paidBy: 'earlier_rail' }, waitsFor: /earlier_rail reported it as paid/ }],
  ['seal_broken', { job: { heldBecause: 'seal_broken' }, around: { pause }, waitsFor: /does not match its seal/ }],
];

describe('the explanation of a pending payout', () => {
  for (const [reason, { job, around, waitsFor, since = NOW, nextAt = JOB.dueAt }] of CASES)
    it(`the explanation of a pending payout states ${reason}, and that the payout waits for “${waitsFor.source}”`, () => {
      const found = explainPending(PAYOUT, { ...JOB, ...job }, { ...AROUND, ...around });
      assert.match(PAYOUT_WAITS[found.reason](found.facts).waitsFor, waitsFor);
      assert.deepEqual([found.reason, found.since, found.nextAt, found.note], [reason, since, nextAt, JOB.note]);
    });
});

const recordOf = (job: PayoutJob, pending: PendingExplanation | null): ExplainedPayout => {
  const rest = { attempts: [], history: [], adjustments: [], money: [], callbacks: [] };
  return { payout: PAYOUT, job, pending, ...rest };
};

describe('the explanation of a pending payout that its merchant sees', () => {
  const INTERNAL = /fail|bank answers|fraud|seal|row|configure/;
  const SEEN: readonly (readonly [shown: string, Partial<PayoutJob>, Partial<Surroundings>])[] = [
    ['queued', { heldBecause: 'rail_down', note: 'the bank keeps failing' }, {}],
    ['queued', { heldBecause: 'seal_broken', note: 'its row differs from the accepted payout' }, {}],
    ['unknown', { stage: 'unknown', heldBecause: 'seal_broken', note: 'its row differs from the accepted payout' }, {}],
    ['queued', {}, { configuredRails: new Set() }],
    ['paused', { heldBecause: 'paused', note: 'merchant m is paused' }, { pause }],
    ['closed', { heldBecause: 'closed', note: 'closed until 9' }, { closedUntil: NOW + 9 }],
  ];
  for (const [shown, change, around] of SEEN)
    it(`a merchant sees ${shown} for ${change.heldBecause ?? 'a missing rail'} at stage ${change.stage ?? 'queued'}, without the cause`, () => {
      const job = { ...JOB, note: '', ...change };
      const seen = asMerchantSees(recordOf(job, explainPending(PAYOUT, job, { ...AROUND, ...around }))).pending;
      assert(seen);
      assert.deepEqual([seen.reason, seen.note], [shown, '']);
      assert.doesNotMatch(JSON.stringify([seen, PAYOUT_WAITS[seen.reason](seen.facts)]), INTERNAL);
    });

  it('a merchant sees the operator’s explanation when it has no internal cause', () => {
    const job = { ...JOB, stage: 'at_bank' } as const;
    const explained = explainPending(PAYOUT, job, AROUND);
    assert.deepEqual(asMerchantSees(recordOf(job, explained)).pending, explained);
  });

  it('a merchant sees that an attempt was not accepted and that its payout moved, without the causes', () => {
    const pending = { outcome: 'pending', detail: 'the payer deposits it with the answer 7' };
    const attempts = [{ outcome: 'not_accepted', detail: 'its row differs from the accepted payout' }, pending];
    const moved = (reason: HistoryReason) => [{ event: 'rerouted', detail: '', reasons: [reason] }];
    const history = moved(['rerouted', 'a', 'b', 'the bank keeps failing: 500']);
    const record = { ...recordOf(JOB, null), attempts, history };
    const seen = asMerchantSees(record as unknown as ExplainedPayout);
    assert.deepEqual(seen.attempts, [{ outcome: 'not_accepted', detail: '' }, pending]);
    assert.deepEqual(seen.history, moved(['moved', 'a', 'b']));
  });
});
