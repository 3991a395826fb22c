/**
 * One rail's loop: it claims payouts under a lease, commits the attempts, calls the bank outside any transaction, and records
 * the outcome. It processes the claims of a round concurrently, up to the concurrency of the rail.
 */
import type { ClaimedPayout, PayoutClaim } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { SecretFields, VaultRecord } from '../../domain/vault/vault.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { createDeadlines } from '../../foundation/deadline.ts';
import { createRounds } from '../rounds.ts';
import { findHolders } from './find-holders.ts';
import type { OneRailParts, RailLoopParts } from './loop-parts.ts';
import { processClaim } from './process-claim.ts';
import { createRailBreaker, type RailBreaker } from './rail-breaker.ts';
import { SEND_GRACE_MS } from './send-claimed.ts';

export interface RailLoopState {
  readonly breaker: RailBreaker['state'];
  readonly inFlight: number;
}

export interface RailLoop {
  readonly rail: string;
  start(): void;
  nudge(): void;
  stop(): Promise<void>;
  state(): RailLoopState;
}

const CLAIM_AT_MOST = 128;

/** A lease lasts this much longer than the longest send, so that the outcome can be recorded. */
const RECORDING_MS = 30 * SECOND_MS;

export function createRailLoop(shared: RailLoopParts, rail: PayoutRail): RailLoop {
  const { clock, onProblem } = shared;
  const breaker = createRailBreaker(clock, {
    onOpened: () => shared.onBreaker(rail.name, 'opened'),
    onClosed() {
      shared.onBreaker(rail.name, 'closed');
      wakeWaiting();
    },
  });
  const deadlines = createDeadlines(clock, rail.timeoutMs);
  const parts: OneRailParts = { ...shared, rail, breaker, deadlines, vault: openingOnce(shared.vault) };
  const inFlight = new Set<Promise<void>>();
  let waking = Promise.resolve();
  const rounds = createRounds({
    clock,
    round,
    onFailed: (error) => onProblem(`rail ${rail.name}: a round failed`, error),
  });

  function wakeWaiting(): void {
    waking = waking
      .then(() => shared.jobs.railIsBack(rail.name, clock.now()))
      .then(rounds.nudge, (error) => onProblem(`rail ${rail.name}: its waiting payouts could not be scheduled`, error));
  }

  async function round(): Promise<boolean> {
    const free = rail.concurrency - inFlight.size;
    const reroutable = await rerouteAllowance(free);
    const isRerouting = reroutable > 0;
    const limit = Math.min(CLAIM_AT_MOST, isRerouting ? reroutable : breaker.allowance(free, inFlight.size));
    if (limit <= 0 || !(await shared.clockIsRight())) return false;
    const closedUntil = isRerouting ? undefined : await shared.closedUntil(rail.name);
    const { restoredAt, doubt, heldBefore } = await shared.restoreAround(rail.name);
    const isRailHeld = isRerouting || closedUntil !== undefined;
    const asksFirstSince = doubt?.startedAt ?? null;
    const claims = await claimDue(parts, {
      limit,
      queuedOnly: isRerouting,
      isRailHeld,
      asksFirstSince,
      restoredAt,
      heldBefore,
    });
    if (claims.some(({ isBegun }) => isBegun)) await shared.mark(rail.name);
    const holders = await findHolders(shared, claims);
    const around = { isRailDown: isRerouting, closedUntil, doubt, heldBefore };
    for (const claim of claims) track(claim, processClaim(parts, claim, { ...around, holder: holders.get(claim) }));
    // A single payout is rerouted as a probe. The next round sees the outcome.
    return claims.length === limit && reroutable !== 1;
  }

  /**
   * Returns how many queued payouts may be rerouted while this rail is down: one at a time while the next rail has not
   * responded since it failed. Otherwise two rails that are down would move their backlogs back and forth.
   */
  async function rerouteAllowance(free: number): Promise<number> {
    if (breaker.state !== 'open') return 0;
    if (await shared.canReroute(rail.name, (other) => shared.isDown(other) || shared.isTried(other))) return free;
    return (await shared.canReroute(rail.name, shared.isDown)) ? Math.min(free, 1) : 0;
  }

  /**
   * If a step throws, its payout keeps its lease. After the lease expires a worker queries the payout, so it is neither lost
   * nor sent twice.
   */
  function track({ payout }: ClaimedPayout, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => onProblem(`payout ${payout.merchantId}/${payout.payoutId}: its step failed`, error))
      .finally(() => {
        inFlight.delete(done);
        // Half of the rail's places are free again: begin a round now, so that the rail does not idle until the next round.
        if (inFlight.size === Math.floor(rail.concurrency / 2)) rounds.nudge();
      });
    inFlight.add(done);
  }

  return {
    rail: rail.name,
    state: () => ({ breaker: breaker.state, inFlight: inFlight.size }),
    start: rounds.start,
    nudge: rounds.nudge,
    async stop() {
      await rounds.stop();
      await Promise.all(inFlight);
      await waking;
    },
  };
}

/** The check of a claim and its order need the same fields. The fields are discarded with the claim. */
function openingOnce({ fingerprint, openFields }: OneRailParts['vault']): OneRailParts['vault'] {
  const opened = new WeakMap<VaultRecord, SecretFields>();
  const remember = (record: VaultRecord, fields: SecretFields) => opened.set(record, fields) && fields;
  return { fingerprint, openFields: (record) => opened.get(record) ?? remember(record, openFields(record)) };
}

type DueClaim = Pick<
  PayoutClaim,
  'limit' | 'queuedOnly' | 'isRailHeld' | 'asksFirstSince' | 'restoredAt' | 'heldBefore'
>;

function claimDue(
  { rail, clock, pauses, jobs, witness, isListed, recordingMs = RECORDING_MS }: OneRailParts,
  due: DueClaim,
): Promise<readonly ClaimedPayout[]> {
  const now = clock.now();
  const sendUntil = now + SEND_GRACE_MS + rail.timeoutMs;
  return jobs.claim({
    ...due,
    rail: rail.name,
    now,
    leaseUntil: sendUntil + recordingMs,
    sendUntil,
    inDirectory: rail.notifies || isListed(rail.name),
    paused: pauses.targets(),
    witness: witness(),
  });
}
