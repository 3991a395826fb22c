import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { NOON } from '../../../test/support/payouts/stored-payouts.ts';
import { PLAIN_VAULT } from '../../../test/support/secrets/plain-vault.ts';
import type { Payout, PayoutStage } from '../../domain/payouts/payout.ts';
import type { ClaimedPayout, PayoutJobStore, Postponement } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { sealOf } from '../../domain/payouts/payout-seal.ts';
import { createPauseView } from '../../domain/routing/pauses.ts';
import { createManualClock, type ManualClock } from '../../foundation/clock.ts';
import { createDeadlines } from '../../foundation/deadline.ts';
import { askClaimed } from './ask-claimed.ts';
import { processClaim } from './process-claim.ts';
import { createRailBreaker } from './rail-breaker.ts';
import { LATE_NOTE, SEND_GRACE_MS, sendClaimed } from './send-claimed.ts';

const payout: Payout = {
  merchantId: 'm',
  payoutId: 'P',
  transactionId: 7,
  purpose: 'payout',
  method: 9,
  money: { currency: 'EUR', minor: 100n },
  amountText: '1.00',
  fee: 0n,
  rail: 'a_rail',
  beneficiary: { accountShown: '411111******1111', fields: {}, vaultToken: null },
  contentHash: Buffer.alloc(32),
  state: 'pending',
  blockedReason: null,
  acceptedAt: NOON,
  finishedAt: null,
};

const claim: ClaimedPayout = {
  payout,
  seal: sealOf(PLAIN_VAULT, payout),
  wasFinal: false,
  entries: 1,
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
  heldBecause: null,
  askedAt: null,
  approveBy: null,
  note: '',
  reference: 'P',
  sendUntil: NOON,
};

const TIMEOUT_MS = 10_000;
const PROOF_MS = 5_000;

function partsOf(clock: ManualClock, change: Pick<PayoutRail, 'send' | 'ask'>) {
  const rail: PayoutRail = {
    name: 'a_rail',
    methods: new Set([9]),
    simulated: true,
    notifies: false,
    timeoutMs: TIMEOUT_MS,
    notFoundProofMs: PROOF_MS,
    askAfterMs: [1_000],
    concurrency: 1,
    ...change,
  };
  return {
    rail,
    breaker: createRailBreaker(clock, { onOpened: () => {}, onClosed: () => {} }),
    jobs: {} as PayoutJobStore,
    settle: async () => ({ kind: 'not_found' }) as const,
    vault: PLAIN_VAULT,
    sendsUnsealed: false,
    onSealBroken: () => {},
    merchant: async () => merchantNamed('m'),
    clock,
    clockIsRight: async () => true,
    deadlines: createDeadlines(clock, rail.timeoutMs),
    nextRail: async () => undefined,
    isDown: () => false,
    mayHaveAccepted: () => [rail],
    referenceOf: () => 'P',
    onRailCall: () => {},
  };
}

/**
 * Simulates a process that is suspended for `frozenMs` between the commit of its attempt and the send. Returns the number of
 * sends, and the next steps that it recorded by then.
 */
async function sendAfter(frozenMs: number, isRight = true) {
  const clock = createManualClock(NOON);
  let sent = 0;
  const steps: (readonly [PayoutStage, string, string | null, number])[] = [];
  const parts = partsOf(clock, {
    send: async () => {
      sent += 1;
      return { kind: 'executed' };
    },
    ask: async () => assert.fail('it is sent'),
  });
  const merchant = async () => {
    clock.advance(frozenMs);
    return merchantNamed('m');
  };
  const postpone = async ({ stage, note, attemptOutcome, at, dueAt }: Postponement) =>
    void steps.push([stage, note, attemptOutcome, dueAt - at]);
  await sendClaimed(
    { ...parts, jobs: { ...parts.jobs, postpone }, merchant, clockIsRight: async () => isRight },
    { ...claim, sendUntil: NOON + SEND_GRACE_MS + TIMEOUT_MS },
  );
  return { sent, steps };
}

/** Returns the stage of a payout after the response "not found" to a query asked at `askedAt` and read at `readAt`. */
async function stageOfNotFound(askedAt: number, readAt: number, isRight = true): Promise<string | undefined> {
  const clock = createManualClock(askedAt);
  const stages: string[] = [];
  const parts = partsOf(clock, {
    send: async () => assert.fail('it is asked about'),
    async ask() {
      clock.advance(readAt - askedAt);
      return { kind: 'not_found' };
    },
  });
  const jobs = { ...parts.jobs, postpone: async ({ stage }: Postponement) => void stages.push(stage) };
  await askClaimed(
    { ...parts, jobs, clockIsRight: async () => isRight },
    { ...claim, stage: 'unknown', isBegun: false },
    'ask',
  );
  assert.equal(stages.length, 1);
  return stages[0];
}

describe('a sender that resumes late', () => {
  it('a sender sends a payout while its deadline leaves time for the complete call', async () => {
    assert.deepEqual(await sendAfter(SEND_GRACE_MS), { sent: 1, steps: [] });
  });

  it('a sender does not send a payout once its deadline leaves too little time, and queues it again at the same rail', async () => {
    const queued = ['queued', LATE_NOTE, 'not_accepted', 1_000] as const;
    assert.deepEqual(await sendAfter(SEND_GRACE_MS + 1), { sent: 0, steps: [queued] });
  });

  it('a sender whose clock was set after the commit of its attempt does not send', async () => {
    assert.deepEqual(await sendAfter(0, false), { sent: 0, steps: [] });
  });
});

/** Returns the number of sends of the payout with such a seal, and the next step that the worker recorded. */
async function sendSealed(seal: Buffer | null, sendsUnsealed: boolean) {
  const clock = createManualClock(NOON);
  let sent = 0;
  const steps: (readonly [PayoutStage, string, string | null])[] = [];
  const parts = partsOf(clock, {
    send: async () => {
      sent += 1;
      return { kind: 'unknown', reason: 'silent' };
    },
    ask: async () => assert.fail('it is sent'),
  });
  const postpone = async ({ stage, note, attemptOutcome }: Postponement) =>
    void steps.push([stage, note, attemptOutcome]);
  const sealed = { ...claim, seal, sendUntil: NOON + SEND_GRACE_MS + TIMEOUT_MS };
  await processClaim(
    { ...parts, sendsUnsealed, pauses: createPauseView([]), jobs: { ...parts.jobs, postpone } },
    sealed,
    {
      isRailDown: false,
      closedUntil: undefined,
      holder: undefined,
      doubt: null,
      heldBefore: undefined,
    },
  );
  return { sent, steps };
}

describe('a payout without its seal', () => {
  it('a payout that differs from its seal is not sent and waits in the queue', async () => {
    const held = ['queued', 'its row differs from the accepted payout', 'not_accepted'] as const;
    for (const sendsUnsealed of [true, false])
      assert.deepEqual(await sendSealed(Buffer.alloc(16), sendsUnsealed), { sent: 0, steps: [held] });
  });

  it('a payout without a seal is sent only during an upgrade', async () => {
    assert.equal((await sendSealed(null, true)).sent, 1);
    assert.deepEqual(await sendSealed(null, false), {
      sent: 0,
      steps: [['queued', 'its row has no seal', 'not_accepted']],
    });
  });
});

describe('a "not found" response', () => {
  const provedAt = NOON + PROOF_MS;

  it('a bank that does not find a payout after the proof delay proves that it never received it', async () => {
    assert.equal(await stageOfNotFound(provedAt, provedAt + 1), 'queued');
  });

  it('“not found” is not proof if the query was sent before the proof delay, even if its response is read later', async () => {
    assert.equal(await stageOfNotFound(provedAt - 1, provedAt + 60_000), 'unknown');
  });

  it('“not found” is not proof for a worker with an inaccurate clock', async () => {
    assert.equal(await stageOfNotFound(provedAt, provedAt + 1, false), 'unknown');
  });
});
