/** The next step of a payout after each response to a send and to a query. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { PayoutStage } from './payout.ts';
import { ATTEMPT_OUTCOMES } from './payout-job-store.ts';
import { isFinalAnswer } from './payout-rail.ts';
import {
  type AnsweredClaim,
  askWaitMs,
  type PayoutStep,
  planQuery,
  planSend,
  type QueryCircumstances,
  type QueryNews,
  resendAfterMs,
  type SendNews,
} from './plan-answer.ts';

const SEND_UNTIL = 100_000;
const PROOF_MS = 7_000;
const PROVED = SEND_UNTIL + PROOF_MS;
const RAIL = { name: 'a_rail', askAfterMs: [2_000, 10_000, 60_000], notFoundProofMs: PROOF_MS } as const;
const ALONE: QueryCircumstances = { askedAt: PROVED, isUnaccounted: false, heldSince: undefined };

const SENT: { readonly [Kind in SendNews['kind']]: Extract<SendNews, { kind: Kind }> } = {
  pending: { kind: 'pending', note: 'a person checks it' },
  unknown: { kind: 'unknown', reason: 'timeout' },
  not_accepted: { kind: 'not_accepted', reason: 'HTTP 503' },
  unsent: { kind: 'unsent', reason: 'too late' },
};
const QUERIED: { readonly [Kind in QueryNews['kind']]: Extract<QueryNews, { kind: Kind }> } = {
  pending: { kind: 'pending', note: 'a person checks it' },
  unknown: { kind: 'unknown', reason: 'timeout' },
  not_found: { kind: 'not_found' },
  declined: { kind: 'declined', blockedReason: 'bank_declined', reason: 'no such card' },
};
/** The stages of a payout that a bank has or may have. */
const ASKED_IN = ['sending', 'at_bank', 'unknown'] as const;

function claimAt(stage: PayoutStage, change: Partial<AnsweredClaim> = {}): AnsweredClaim {
  return { stage, attempts: 1, asks: 0, sendUntil: SEND_UNTIL, ...change };
}

const sent = (news: SendNews, attempts = 1) =>
  rowOf(planSend(claimAt('sending', { attempts, asks: 5 }), news, { rail: RAIL }));
const asked = (stage: PayoutStage, news: QueryNews, query: Partial<QueryCircumstances> = {}, asks = 0) =>
  rowOf(planQuery(claimAt(stage, { asks }), news, { ...ALONE, ...query, rail: RAIL }));

function rowOf({ stage, attemptOutcome, waitMs, asks, mayReroute, note }: PayoutStep) {
  return [stage, attemptOutcome, waitMs, asks, mayReroute, note] as const;
}

describe('the response to a send', () => {
  it('the response to a send that does not end the payout sets its stage, outcome, wait, query count and note', () => {
    const steps = {
      pending: ['at_bank', 'pending', 2_000, 0, false, 'a person checks it'],
      unknown: ['unknown', 'unknown', 2_000, 0, false, 'timeout'],
      not_accepted: ['queued', 'not_accepted', SECOND_MS, 0, true, 'HTTP 503'],
      unsent: ['queued', 'not_accepted', SECOND_MS, 0, false, 'too late'],
    } as const;
    for (const news of Object.values(SENT)) assert.deepEqual(sent(news), steps[news.kind], news.kind);
  });

  it('a pending response without a note leaves the note empty', () => {
    assert.equal(sent({ kind: 'pending' }).at(-1), '');
    assert.equal(asked('at_bank', { kind: 'pending' }).at(-1), '');
  });

  it('a rejected payout waits longer after each attempt, up to five minutes', () => {
    const waits = [1, 2, 3, 4, 5, 6, 100].map((attempts) => sent(SENT.not_accepted, attempts)[2]);
    assert.deepEqual(waits, [1_000, 5_000, 15_000, MINUTE_MS, 5 * MINUTE_MS, 5 * MINUTE_MS, 5 * MINUTE_MS]);
    assert.deepEqual(
      [1, 5, 6].map((attempts) => resendAfterMs({ attempts })),
      [1_000, 5 * MINUTE_MS, 5 * MINUTE_MS],
    );
  });
});

describe('the response to a query', () => {
  it('a bank that accepted a payout keeps it, whatever its later responses are', () => {
    const steps = {
      pending: ['at_bank', null, 10_000, 1, false, 'a person checks it'],
      unknown: ['at_bank', null, 10_000, 1, false, 'timeout'],
      not_found: ['at_bank', null, 10_000, 1, false, 'the bank no longer finds it'],
    } as const;
    for (const news of [QUERIED.pending, QUERIED.unknown, QUERIED.not_found])
      assert.deepEqual(asked('at_bank', news), steps[news.kind], news.kind);
  });

  it('a response of a bank that may have a payout means accepted, provably not received, or unknown', () => {
    const steps = {
      pending: ['at_bank', 'pending', 10_000, 1, false, 'a person checks it'],
      unknown: ['unknown', null, 10_000, 1, false, 'timeout'],
      not_found: ['queued', 'not_accepted', 0, 1, true, 'the bank never received it'],
      declined: ['queued', 'not_accepted', 0, 0, false, 'a_rail declined it: no such card'],
    } as const;
    for (const stage of ['sending', 'unknown'] as const)
      for (const news of Object.values(QUERIED)) assert.deepEqual(asked(stage, news), steps[news.kind], news.kind);
  });

  it('"not found" does not prove anything before the deadline of the attempt and the delay of the bank', () => {
    const early = (leftMs: number) => asked('unknown', QUERIED.not_found, { askedAt: PROVED - leftMs });
    const open = (waitMs: number) => ['unknown', null, waitMs, 1, false, 'not found yet'] as const;
    assert.deepEqual(early(1), open(1));
    assert.deepEqual(early(9_999), open(9_999));
    assert.deepEqual(early(10_001), open(10_000));
    assert.deepEqual(early(Number.POSITIVE_INFINITY), open(10_000));
    assert.equal(early(0)[0], 'queued');
  });

  it('a payout that its provider listed stays unknown although a status query does not find it', () => {
    const note = 'the bank lists it, but a query does not find it: see "gateway difference list"';
    for (const heldSince of [undefined, SEND_UNTIL])
      for (const stage of ['sending', 'unknown'] as const) {
        const query = { ...ALONE, isUnaccounted: true, heldSince };
        const step = planQuery(claimAt(stage), QUERIED.not_found, { ...query, rail: RAIL });
        assert.deepEqual(rowOf(step), ['unknown', null, 60_000, 1, false, note]);
        assert.equal(step.stageSince, undefined);
      }
  });

  it('a payout that was sent before a restore is treated as queued at its rail since its former deadline', () => {
    for (const news of [QUERIED.not_found, QUERIED.declined]) {
      const step = planQuery(claimAt('unknown'), news, { ...ALONE, heldSince: SEND_UNTIL, rail: RAIL });
      assert.deepEqual([step.stage, step.stageSince, step.mayReroute], ['queued', SEND_UNTIL, false], news.kind);
    }
    for (const news of [QUERIED.pending, QUERIED.unknown]) {
      const step = planQuery(claimAt('unknown'), news, { ...ALONE, heldSince: SEND_UNTIL, rail: RAIL });
      assert.equal(step.stageSince, undefined, news.kind);
    }
  });

  it('the next query waits for the interval of its number, and the last interval repeats', () => {
    const waits = [0, 1, 2, 50].map((asks) => asked('unknown', QUERIED.unknown, {}, asks)[2]);
    assert.deepEqual(waits, [10_000, 60_000, 60_000, 60_000]);
    assert.equal(askWaitMs(RAIL, 0), 2_000);
  });
});

describe('every response', () => {
  it('a response queues a payout only if the response proves that no bank received it', () => {
    const steps = [
      ...Object.values(SENT).map((news) => planSend(claimAt('sending'), news, { rail: RAIL })),
      ...ASKED_IN.flatMap((stage) =>
        [PROVED - 1, PROVED].flatMap((askedAt) =>
          Object.values(QUERIED).map((news) => planQuery(claimAt(stage), news, { ...ALONE, askedAt, rail: RAIL })),
        ),
      ),
    ];
    for (const { stage, attemptOutcome, mayReroute } of steps) {
      if (stage !== 'at_bank') assert.equal(stage === 'queued', attemptOutcome === 'not_accepted');
      if (mayReroute) assert.equal(stage, 'queued');
    }
    const outcomes = new Set(steps.flatMap(({ attemptOutcome }) => attemptOutcome ?? []));
    assert.deepEqual(outcomes, new Set(ATTEMPT_OUTCOMES));
  });

  it('a final bank response has no next step', () => {
    const kinds = ['executed', 'reversed', 'declined', 'pending', 'unknown', 'not_accepted', 'not_found'] as const;
    const final = kinds.filter((kind) => isFinalAnswer({ kind, reason: '', blockedReason: 'unspecified' }));
    assert.deepEqual(final, ['executed', 'reversed', 'declined']);
  });
});
