import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merchantNamed } from '../../test/support/merchant-named.ts';
import { NOON } from '../../test/support/stored-payouts.ts';
import type { ClaimedPayout, PayoutJobStore } from '../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../domain/payouts/payout-rail.ts';
import { createManualClock } from '../foundation/clock.ts';
import { createDeadlines } from '../foundation/deadline.ts';
import { createRailBreaker } from './rail-breaker.ts';
import { SEND_GRACE_MS, sendClaimed } from './send-payout-job.ts';

const claim: ClaimedPayout = {
  payout: {
    merchantId: 'm',
    payoutId: 'P',
    transactionId: 7,
    method: 9,
    money: { currency: 'EUR', minor: 100n },
    amountText: '1.00',
    fee: 0n,
    rail: 'a_rail',
    beneficiary: { accountShown: '411111******1111', fields: {}, vaultToken: null },
    contentHash: Buffer.alloc(32),
    state: 'pending',
    code: '40',
    acceptedAt: NOON,
    finishedAt: null,
  },
  vaultRecord: null,
  stage: 'sending',
  stageSince: NOON,
  dueAt: NOON + 60_000,
  leaseUntil: NOON + 60_000,
  fence: 1,
  attempts: 1,
  asks: 0,
  isBegun: true,
  paidBy: null,
  note: '',
  reference: 'P',
  sendUntil: NOON,
};

/** A process that stands still for `frozenMs` between the commit of its attempt and the write to the bank. */
async function sendAfter(frozenMs: number): Promise<number> {
  const clock = createManualClock(NOON);
  let sent = 0;
  const rail: PayoutRail = {
    name: 'a_rail',
    methods: new Set([9]),
    simulated: true,
    notifies: false,
    timeoutMs: 10_000,
    notFoundProofMs: 5_000,
    askAfterMs: [1_000],
    concurrency: 1,
    send: async () => {
      sent += 1;
      return { kind: 'executed' };
    },
    ask: async () => ({ kind: 'not_found' }),
  };
  const nothing = {} as PayoutJobStore;
  const parts = {
    rail,
    breaker: createRailBreaker(clock, () => {}),
    jobs: nothing,
    report: async () => ({ kind: 'not_found' }) as const,
    vault: { openFields: () => ({}) },
    merchant: async () => {
      clock.advance(frozenMs);
      return merchantNamed('m');
    },
    clock,
    deadlines: createDeadlines(clock, rail.timeoutMs),
    elsewhere: async () => undefined,
    isDown: () => false,
    onRailCall: () => {},
  };
  const sendUntil = NOON + SEND_GRACE_MS + rail.timeoutMs;
  await sendClaimed(parts, { ...claim, sendUntil });
  return sent;
}

describe('a sender that wakes up late', () => {
  it('sends while its deadline leaves time for the whole call', async () => {
    assert.equal(await sendAfter(SEND_GRACE_MS), 1);
  });

  it('does not send any more past that', async () => {
    assert.equal(await sendAfter(SEND_GRACE_MS + 1), 0);
  });
});
