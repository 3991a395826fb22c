/**
 * The first step of a payout in a restored gateway. A bank may have received the payout in the period that the restore lost.
 * The worker queries each such bank by the reference that the payout would have there. It sends the payout only after every
 * bank has proved that it did not receive it (decision 55).
 */
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutRail, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { askWaitMs } from '../../domain/payouts/plan-answer.ts';
import type { TimeInDoubt } from '../../domain/recovery/recovery.ts';
import type { Instant } from '../../foundation/clock.ts';
import { askClaimed } from './ask-claimed.ts';
import { callWithBreaker } from './call-with-breaker.ts';
import type { OneRailParts } from './loop-parts.ts';
import { orderOfClaim, type SendClaimedParts } from './send-claimed.ts';

export type AskBeforeSendingParts = SendClaimedParts & Pick<OneRailParts, 'mayHaveAccepted' | 'referenceOf'>;

/** A bank's response, with the time of the query and the reference. */
interface Answer {
  readonly rail: PayoutRail;
  readonly reference: string;
  readonly askedAt: Instant;
  readonly status: RailStatus;
}

export async function askBeforeSending(
  parts: AskBeforeSendingParts,
  claim: ClaimedPayout,
  doubt: TimeInDoubt,
): Promise<void> {
  const rails = parts.mayHaveAccepted(claim.payout);
  const answers = await Promise.all(rails.map((rail) => ask(parts, claim, rail, doubt)));
  const open = openQuestion(answers, doubt.startedAt);
  const holders = holdersOf(answers, open === undefined);
  if (holders.length > 0) return recognise(parts, claim, holders, doubt);
  const { clock, jobs } = parts;
  const at = clock.now();
  const held = claim.heldBecause === 'seal_broken' ? { heldBecause: claim.heldBecause } : {};
  const step = { claim, at, stage: claim.stage, attemptOutcome: null, ...held } as const;
  await (open
    ? jobs.postpone({ ...step, dueAt: at + waitMs(parts, claim, open), asks: claim.asks + 1, note: open.note })
    : jobs.postpone({ ...step, dueAt: at, asks: 0, note: '', askedAt: at }));
}

/**
 * The repeated request may be the payout's first send, so its attempt is committed before it: a notification then finds the
 * payout even if the response is lost. The claim keeps its lease.
 */
export async function repeatFirst(
  parts: AskBeforeSendingParts,
  claim: ClaimedPayout,
  { knownUntil: sendUntil }: TimeInDoubt,
): Promise<void> {
  const { jobs, clock, rail, referenceOf } = parts;
  const { payout, fence, leaseUntil: dueAt } = claim;
  const reference = referenceOf({ ...payout, rail: rail.name });
  const detail = `${rail.name} may have received it before the restore`;
  const attempt = { at: clock.now(), dueAt, rail: rail.name, reference, writtenFrom: sendUntil, detail } as const;
  const [outcome] = await jobs.recognise([{ ...attempt, claim: { payout, fence }, actor: 'gateway', certainly: null }]);
  if (outcome !== 'at_bank') return;
  const recorded = { stage: outcome, fence: fence + 1, attempts: claim.attempts + 1, asks: 0, reference, sendUntil };
  await askClaimed(parts, { ...claim, ...recorded }, 'repeat');
}

async function ask(
  parts: AskBeforeSendingParts,
  claim: ClaimedPayout,
  rail: PayoutRail,
  { startedAt: sendUntil, knownUntil: writtenFrom }: TimeInDoubt,
): Promise<Answer> {
  const reference = parts.referenceOf({ ...claim.payout, rail: rail.name });
  const order = await orderOfClaim(parts, claim, { reference, sendUntil, writtenFrom });
  const askedAt = parts.clock.now();
  const status = await callWithBreaker(parts, claim, rail, 'ask', order);
  return { rail, reference, askedAt, status };
}

/**
 * Returns the responses of the banks that have the payout, the bank that owns it first. A bank that executed it, or still
 * decides, certainly has it. A decline is used only after every other bank has proved that it does not have the payout: the
 * gateway may have rerouted the payout, and the other bank may have paid it.
 */
function holdersOf(answers: readonly Answer[], isProved: boolean): readonly Answer[] {
  const having = (kind: RailStatus['kind']) => answers.filter(({ status }) => status.kind === kind);
  const certain = [...having('executed'), ...having('pending')];
  if (certain.length > 0 || !isProved) return certain;
  return [...having('reversed'), ...having('declined')].slice(0, 1);
}

interface OpenQuestion {
  readonly note: string;
  /** The interval until the next query. If undefined, the rail's normal interval applies. */
  readonly waitMs: number | undefined;
}

/** Returns why "not found" proves nothing yet, or undefined if it is proof. No lost request was sent after `since`. */
function openQuestion(answers: readonly Answer[], since: Instant): OpenQuestion | undefined {
  for (const { rail, reference, status } of answers)
    if (status.kind === 'unknown')
      return { note: `${rail.name} does not say whether it has ${reference}: ${status.reason}`, waitMs: undefined };
  const early = answers
    .filter(({ status }) => status.kind === 'not_found')
    .map(({ rail, askedAt }) => ({ rail, leftMs: since + rail.notFoundProofMs - askedAt }))
    .sort((left, right) => right.leftMs - left.leftMs)[0];
  if (early === undefined || early.leftMs <= 0) return undefined;
  return { note: `${early.rail.name} may not find it yet`, waitMs: early.leftMs };
}

function waitMs({ rail }: AskBeforeSendingParts, { asks }: ClaimedPayout, open: OpenQuestion): number {
  return open.waitMs ?? askWaitMs(rail, asks);
}

/**
 * Records the lost attempts. The payout then belongs to the first bank, and the worker queries it immediately for the
 * outcome. A bank that certainly has the payout is right even if the operator has since released the payout, so the lease
 * does not matter. If another rail has sent the payout by then, the gate records the contradiction.
 */
async function recognise(
  { jobs, clock, settle }: AskBeforeSendingParts,
  { payout, fence }: ClaimedPayout,
  holders: readonly Answer[],
  { knownUntil: writtenFrom }: TimeInDoubt,
): Promise<void> {
  const recognitions = holders.map(({ rail, reference, status: { kind } }) => {
    const certainly = kind === 'executed' || kind === 'pending' ? kind : null;
    const claim = { payout, fence: certainly ? null : fence };
    const detail = `${rail.name} received it before the restore`;
    const of = { at: clock.now(), rail: rail.name, reference, writtenFrom, actor: 'gateway' } as const;
    return { ...of, claim, detail, certainly };
  });
  const outcomes = await jobs.recognise(recognitions);
  for (const [index, { rail, detail, certainly }] of recognitions.entries())
    if (outcomes[index] !== 'at_bank' && certainly === 'executed')
      await settle(payout, null, { event: certainly, rail, detail, actor: rail, at: clock.now() });
}
