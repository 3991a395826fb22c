/**
 * Payouts in Canadian dollars by Interac e-transfer (method 92). The rail sends a payout once and must never repeat it
 * blindly: it queries by our reference. payout-messages.ts and vocabulary.ts decide what a response means. README.md
 * has the rules.
 */
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { type JsonObject, shownText } from '../kit/provider-json.ts';
import { declined, notAccepted, unanswered, unknown } from '../kit/rail-answers.ts';
import type { VoPayAnswer, VoPayApi } from './api.ts';
import { VOPAY, type VoPayConfiguration } from './configuration.ts';
import {
  balanceRequest,
  CANCELLATION_DAYS,
  clientReferenceOf,
  payoutLookUp,
  payoutRequest,
  readAvailable,
  readFoundPayout,
} from './payout-messages.ts';
import { confirmation, isDuplicateFlag, type OpenedRequest, readOpened } from './protocol.ts';
import { isHeldAsDuplicate, readRows, referenceRequest } from './queries.ts';
import { textOf } from './read-fields.ts';

interface Parts {
  readonly api: VoPayApi;
  readonly clock: Clock;
}

export function createVoPayPayoutRail(
  { concurrency, simulated }: Pick<VoPayConfiguration, 'concurrency' | 'simulated'>,
  api: VoPayApi,
  clock: Clock,
): PayoutRail {
  const parts: Parts = { api, clock };
  return {
    name: VOPAY,
    methods: new Set([92]),
    simulated,
    notifies: true,
    // A call may consist of four requests, and around midnight each of them is sent twice.
    timeoutMs: 30 * SECOND_MS,
    notFoundProofMs: 10 * MINUTE_MS,
    askAfterMs: [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
    // The recipient may take this long to deposit the money.
    decidesWithinMs: (CANCELLATION_DAYS + 1) * DAY_MS,
    concurrency,
    send: (order, deadline) => send(parts, order, deadline),
    ask: (order, deadline) => ask(parts, order, deadline),
  };
}

async function send(parts: Parts, order: PayoutOrder, deadline: Deadline): Promise<RailAnswer> {
  const request = payoutRequest(order);
  if (!request.ok) return request.error;
  const called = await parts.api.call(request.value, deadline);
  switch (called.kind) {
    case 'done': {
      const opened = readOpened(called.fields);
      return opened ? sent(parts, order, opened, deadline) : unknown('VoPay’s response does not contain a transaction');
    }
    case 'not_connected':
    case 'no_answer':
      return unanswered(called);
    case 'failed':
      return refused(parts, order, called, deadline);
  }
}

async function sent(
  parts: Parts,
  order: PayoutOrder,
  { transactionId, stage, flag }: OpenedRequest,
  deadline: Deadline,
): Promise<RailAnswer> {
  if (isDuplicateFlag(flag)) return held(parts, { ...order, mayConfirm: true }, transactionId, deadline);
  if (flag !== '') return { kind: 'pending', note: `VoPay holds ${transactionId}: ${shownText(flag, MOST_FLAG)}` };
  // For a payout that has already ended, query its outcome.
  return stage === 'succeeded' || stage === 'ended' ? known(await ask(parts, order, deadline)) : { kind: 'pending' };
}

const MOST_FLAG = 100;

function known(status: RailStatus): RailAnswer {
  return status.kind === 'not_found' ? unknown('VoPay does not find it yet') : status;
}

async function refused(
  parts: Parts,
  order: PayoutOrder,
  { meaning, reason }: Extract<VoPayAnswer, { kind: 'failed' }>,
  deadline: Deadline,
): Promise<RailAnswer> {
  if (meaning.kind === 'credentials' || meaning.kind === 'account') return notAccepted(reason);
  if (meaning.kind !== 'refused') return unknown(reason);
  const proof = await ask(parts, order, deadline);
  if (proof.kind !== 'not_found') return proof;
  if (meaning.refusal !== 'limit') return declined('invalid_beneficiary', reason);
  return (await isCovered(parts, order, deadline))
    ? declined('limit_or_risk', reason)
    : notAccepted(`${reason}: our balance there is too low`);
}

/** Returns whether our balance covers the payout. If the balance is unreadable, the balance may be the cause. */
async function isCovered({ api }: Parts, { money }: PayoutOrder, deadline: Deadline): Promise<boolean> {
  const called = await api.call(balanceRequest(), deadline);
  const available = called.kind === 'done' ? readAvailable(called.fields) : undefined;
  return available !== undefined && available.minor >= money.minor;
}

async function ask(parts: Parts, order: PayoutOrder, deadline: Deadline): Promise<RailStatus> {
  const called = await parts.api.call(payoutLookUp(order.reference), deadline);
  if (called.kind === 'failed' && called.meaning.kind === 'not_found') return missing(parts, order, deadline);
  if (called.kind !== 'done') return unknown(called.reason);
  const found = readFoundPayout(called.fields, order);
  if (!found) return unknown('VoPay’s response is about another transaction');
  switch (found.stage) {
    case 'succeeded':
      return { kind: 'executed' };
    case 'ended':
      return declined(found.ending.blockedReason, found.ending.reason);
    case 'unsent':
      return held(parts, order, found.transactionId, deadline);
    default:
      return { kind: 'pending' };
  }
}

/** VoPay finds a reference only while one transaction has it. So "not found" counts only if its list has none either. */
async function missing(parts: Parts, order: PayoutOrder, deadline: Deadline): Promise<RailStatus> {
  const rows = await listed(parts, order, deadline);
  if (rows?.length === 0) return { kind: 'not_found' };
  return unknown(rows ? 'VoPay lists it, but does not find it' : 'VoPay does not find it, and its list is incomplete');
}

type Pending = Extract<RailStatus, { kind: 'pending' }>;

/**
 * VoPay may hold a payout as a duplicate until we confirm it. The rail confirms it only if `order.mayConfirm` is set and no
 * other transaction has the same reference. Another transaction would be the original, and this transaction a real duplicate.
 */
async function held(parts: Parts, order: PayoutOrder, id: string, deadline: Deadline): Promise<Pending> {
  const rows = (await listed(parts, order, deadline)) ?? [];
  if (!rows.some((row) => isHeldAsDuplicate(row, id))) return { kind: 'pending' };
  if (!order.mayConfirm || rows.length > 1) return { kind: 'pending', note: `VoPay holds ${id}: duplicate` };
  await parts.api.call(confirmation(id), deadline);
  return { kind: 'pending' };
}

/** Returns the transactions with the order's reference, or undefined if VoPay's list is incomplete. */
async function listed(
  { api, clock }: Parts,
  { reference, sendUntil, writtenFrom = sendUntil }: PayoutOrder,
  deadline: Deadline,
): Promise<readonly JsonObject[] | undefined> {
  const called = await api.call(referenceRequest(reference, writtenFrom, clock.now()), deadline);
  const rows = called.kind === 'done' ? readRows(called.fields) : undefined;
  return rows?.filter((row) => textOf(row, 'ClientReferenceNumber') === clientReferenceOf(reference));
}
