import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WaitReason } from '../../../../gateway/contract/texts/wait-reasons.ts';
import { futureOf, progressOf } from './future.ts';

const NOW = new Date('2026-11-23T10:05:00.000Z');
const PACE = { payments: 200, halfMs: 60_000, mostMs: 900_000 };
const waiting = (reason: WaitReason, nextAt: string | null = '2026-11-23T10:10:00.000Z') => ({
  pending: { reason, nextAt, since: '2026-11-23T10:00:00.000Z', waitsFor: '', next: '', merchantCan: '', note: '' },
  pace: PACE,
  since: '2026-11-23T10:00:00.000Z',
});

describe('the expected future of a pending payment', () => {
  it('the page of a payout at its bank states the next steps and their times', () => {
    assert.deepEqual(futureOf(waiting('at_bank'), NOW), [
      { kind: 'ask', at: '2026-11-23T10:10:00.000Z', halfBy: null },
      { kind: 'result', at: '2026-11-23T10:15:00.000Z', halfBy: '2026-11-23T10:01:00.000Z' },
      { kind: 'callback', at: null, halfBy: null },
    ]);
    assert.equal(progressOf(waiting('at_bank'), NOW), 33);
  });

  it('the expected times of a payout that waits for opening hours are measured from the next opening', () => {
    const [send, result] = futureOf(waiting('closed'), NOW);
    assert.deepEqual(
      [send?.kind, send?.at, result?.at],
      ['send', '2026-11-23T10:10:00.000Z', '2026-11-23T10:25:00.000Z'],
    );
  });

  it('the payment page predicts no time after a user’s decision, or for a rail without a known duration', () => {
    const steps = futureOf(waiting('awaiting_approval'), NOW);
    assert.deepEqual(
      steps.map(({ kind, at }) => [kind, at]),
      [
        ['approval', '2026-11-23T10:10:00.000Z'],
        ['send', null],
        ['result', null],
        ['callback', null],
      ],
    );
    const unknown = { ...waiting('at_bank'), pace: null };
    assert.equal(futureOf(unknown, NOW)[1]?.at, null);
    assert.equal(progressOf(unknown, NOW), null);
  });
});
