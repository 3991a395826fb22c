/** Payouts: a payout with its history, and the actions on it. */
import type { PAYOUT_ENDPOINTS, PayoutRecord } from '../../../../contract/endpoints/payouts.ts';
import { OBSTACLE_TEXTS } from '../../../../contract/texts/payout-obstacles.ts';
import { PAYOUT_WAITS } from '../../../../contract/texts/payout-waits.ts';
import type { WordsRejection } from '../../../domain/audit/act-words.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { balanceOf } from '../../../domain/ledger/transfer.ts';
import type { ApproveFailure } from '../../../domain/payouts/approval/approve-payout.ts';
import type { CancelFailure } from '../../../domain/payouts/cancel-payout.ts';
import { asMerchantSees, type ExplainedPayout } from '../../../domain/payouts/explain-pending.ts';
import type { AskPayoutFailure, PayoutObstacles } from '../../../domain/payouts/payout-obstacles.ts';
import type { ResolvePayoutFailure } from '../../../domain/payouts/resolve-payout.ts';
import { type Caller, mayUse, personOf } from '../../../domain/people/caller.ts';
import { mailboxOf } from '../../../domain/people/person.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { readCursor, writeCursor } from '../lists/cursor.ts';
import { INVALID_CURSOR, type ManageProblem, wordsProblem } from '../problems.ts';
import { relatedToPayout } from '../related-objects.ts';
import { viewCallback } from '../views/callback-view.ts';
import { viewExplanation, viewHistory } from '../views/history-views.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';
import { viewBalance, viewLedgerLine } from '../views/ledger-views.ts';
import { actorsShownTo, type Mask, maskFor, type ShowActor } from '../views/mask.ts';
import { viewPayout } from '../views/payout-view.ts';

export function payoutHandlers(operations: GatewayOperations, now: () => Instant): HandlersOf<typeof PAYOUT_ENDPOINTS> {
  const { payouts, monitoring, people } = operations;
  return {
    ...pendingHandlers(operations),
    async 'payouts.show'({ params, caller }) {
      const found = await payouts.find(params);
      if (!found) return fail(CANCEL_PROBLEMS.payout_not_found);
      const itsPace = found.pending && (await monitoring.pace(found.payout.purpose, found.payout.rail));
      const isWaiting = found.job?.stage === 'awaiting_approval';
      const acts = actsOf(await payouts.obstacles(found, approverOf(caller)), caller, isWaiting);
      const related = await relatedToPayout(operations, found, caller, now());
      const show = await actorsShownTo(caller, people.actorNames);
      return ok({
        answer: {
          ...viewRecord(caller.merchantId === null ? found : asMerchantSees(found), maskFor(caller), show),
          related,
          pace: itsPace,
          afterApproval:
            isWaiting && mayUse(caller, 'ledger:read') ? await afterApproval(operations, found.payout) : null,
          acts,
        },
      });
    },
    async 'payouts.approve'({ params, body, caller }) {
      if (caller.actor.kind === 'token') return fail({ code: 'forbidden', detail: ONLY_A_PERSON });
      const approved = await payouts.approve(params, { ...approverOf(caller), detail: body.reason ?? '' });
      if (!approved.ok) return fail(approveProblem(approved.error));
      const found = await payouts.find(params);
      if (!found) return fail(CANCEL_PROBLEMS.payout_not_found);
      const answer = viewPayout(found.payout, maskFor(caller));
      return ok({ answer, change: { before: { approved: false }, after: { ...answer, approved: true } } });
    },
    async 'payouts.cancel'({ params, body, caller }) {
      const onlyWaiting = !mayUse(caller, 'payouts:write');
      const cancelled = await payouts.cancel(params, body.reason, { by: caller.actor.name, onlyWaiting });
      if (!cancelled.ok) return fail(cancelProblem(cancelled.error));
      const found = await payouts.find(params);
      if (!found) return fail(CANCEL_PROBLEMS.payout_not_found);
      const answer = viewPayout(found.payout, maskFor(caller));
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'payouts.ask'({ params, body, caller }) {
      const asked = await payouts.ask(params, body.rail ?? null);
      if (!asked.ok) return fail(askProblem(asked.error));
      const found = await payouts.find(params);
      if (!found) return fail(CANCEL_PROBLEMS.payout_not_found);
      const answer = { ...asked.value, payout: viewPayout(found.payout, maskFor(caller)) };
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'payouts.resolve'({ params, body, caller }) {
      const { outcome, reason, rail = null, blockedReason = null } = body;
      const resolution = { outcome, rail, blockedReason, evidence: reason, by: caller.actor.name };
      const resolved = await payouts.resolve(params, resolution);
      if (!resolved.ok) return fail(resolveProblem(resolved.error));
      return ok({ answer: resolved.value, change: { before: null, after: resolved.value } });
    },
  };
}

/** The lists of pending payouts that someone may have to act on. */
function pendingHandlers({ payouts }: GatewayOperations) {
  return {
    async 'payouts.overdue'({ query }) {
      const items = (await payouts.overdue(query.limit ?? 50)).map(({ money, deadline, acceptedAt, ...payout }) => ({
        ...payout,
        amount: formatAmount(money),
        currency: money.currency,
        acceptedAt: instantText(acceptedAt),
        overdueSince: instantText(deadline),
      }));
      return ok({ answer: { items } });
    },
    async 'payouts.late'({ query: { merchantId = null, limit = 10 }, caller }) {
      const late = await payouts.late(merchantId, limit);
      const items = late.map(async ({ merchantId: of, payoutId, money, rail, acceptedAt, deadline }) => {
        const found = await payouts.find({ merchantId: of, payoutId });
        const seen = found && caller.merchantId !== null ? asMerchantSees(found) : found;
        return {
          merchantId: of,
          payoutId,
          amount: formatAmount(money),
          currency: money.currency,
          rail,
          acceptedAt: instantText(acceptedAt),
          lateSince: instantText(deadline),
          pending: seen?.pending ? viewExplanation(seen.pending, PAYOUT_WAITS) : null,
        };
      });
      return ok({ answer: { items: await Promise.all(items) } });
    },
    async 'payouts.awaiting'({ query: { merchantId = null, limit = 50, after }, caller }) {
      const place = after === undefined ? null : readPlace(after);
      if (place === undefined) return fail(INVALID_CURSOR);
      const found = await payouts.awaiting({ merchantId, after: place, limit: limit + 1 });
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      const next = last ? writeCursor([last.approveBy, last.payout.merchantId, last.payout.payoutId]) : null;
      const mask = maskFor(caller);
      const views = items.map(({ payout, approveBy }) => ({
        ...viewPayout(payout, mask),
        approveBy: instantText(approveBy),
      }));
      return ok({ answer: { items: views, next } });
    },
  } satisfies Partial<HandlersOf<typeof PAYOUT_ENDPOINTS>>;
}

function viewRecord(
  found: ExplainedPayout,
  mask: Mask,
  show: ShowActor,
): Omit<PayoutRecord, 'related' | 'pace' | 'afterApproval' | 'acts'> {
  const { payout, pending, attempts, history, adjustments, money, callbacks } = found;
  return {
    ...viewPayout(payout, mask),
    beneficiary: Object.fromEntries(
      Object.entries(payout.beneficiary.fields).map(([name, value]) => [name, mask(value)]),
    ),
    pending: pending && viewExplanation(pending, PAYOUT_WAITS),
    attempts: attempts.map(({ startedAt, finishedAt, ...attempt }) => ({
      ...attempt,
      startedAt: instantText(startedAt),
      finishedAt: instantTextOrNull(finishedAt),
    })),
    history: viewHistory(history, show),
    adjustments: adjustments.map(({ at, kind, detail }) => ({ at: instantText(at), kind, detail })),
    money: money.map(viewLedgerLine),
    callbacks: callbacks.map(viewCallback),
  };
}

/** The money of a payout that waits for approval is reserved, so that its payment leaves the available amount as it is. */
async function afterApproval({ merchants }: GatewayOperations, payout: ExplainedPayout['payout']) {
  const { merchantId, money, fee } = payout;
  const balances = (await merchants.find(merchantId))?.balances.get(money.currency);
  if (!balances) return null;
  const reserved = balanceOf(balances, 'reserved') - money.minor - fee;
  return viewBalance(money.currency, { ...balances, reserved });
}

const ONLY_A_PERSON = 'Only a user can approve a payout.';

function approverOf(caller: Caller) {
  return { by: caller.actor.name, person: personOf(caller), mailbox: mailboxOf(caller.actor.name) };
}

function actsOf({ approve, cancel, ask }: PayoutObstacles, caller: Caller, isWaiting: boolean): PayoutRecord['acts'] {
  const viewed = (
    act: PayoutRecord['acts'][number]['act'],
    permission: string,
    obstacle: PayoutObstacles[keyof PayoutObstacles],
  ): PayoutRecord['acts'][number] => {
    if (!mayUse(caller, permission))
      return { act, reason: 'no_permission', obstacle: `The credential lacks the permission ${permission}.` };
    if (obstacle === null) return { act, reason: null, obstacle: null };
    return { act, reason: typeof obstacle === 'string' ? obstacle : obstacle.kind, obstacle: obstacleText(obstacle) };
  };
  const approval = viewed('payouts.approve', 'payouts:approve', approve);
  const byToken = { act: 'payouts.approve', reason: 'only_a_person', obstacle: ONLY_A_PERSON } as const;
  const cancellation = isWaiting && !mayUse(caller, 'payouts:write') ? 'payouts:approve' : 'payouts:write';
  const acts = [caller.actor.kind === 'token' ? byToken : approval, viewed('payouts.cancel', cancellation, cancel)];
  return caller.merchantId === null ? [...acts, viewed('payouts.ask', 'payouts:write', ask)] : acts;
}

const CANCEL_PROBLEMS = {
  payout_not_found: { code: 'not-found', detail: OBSTACLE_TEXTS.payout_not_found },
  already_final: { code: 'rejected', detail: OBSTACLE_TEXTS.already_final },
  already_sent: { code: 'rejected', detail: OBSTACLE_TEXTS.already_sent },
  not_waiting: { code: 'rejected', detail: OBSTACLE_TEXTS.not_waiting },
  recovering: { code: 'rejected', detail: OBSTACLE_TEXTS.recovering },
} as const satisfies Readonly<Record<Exclude<CancelFailure, WordsRejection>, ManageProblem>>;

function cancelProblem(failure: CancelFailure): ManageProblem {
  return typeof failure === 'string' ? CANCEL_PROBLEMS[failure] : wordsProblem(failure);
}

function askProblem(failure: AskPayoutFailure): ManageProblem {
  if (failure.kind === 'payout_not_found') return CANCEL_PROBLEMS.payout_not_found;
  const field = failure.kind === 'never_sent' ? { field: '/rail' } : {};
  return { code: 'rejected', ...field, detail: obstacleText(failure) };
}

const APPROVE_PROBLEMS: Readonly<Record<Exclude<ApproveFailure, WordsRejection>, ManageProblem>> = {
  payout_not_found: CANCEL_PROBLEMS.payout_not_found,
  already_final: CANCEL_PROBLEMS.already_final,
  own_payout: { code: 'forbidden', detail: OBSTACLE_TEXTS.own_payout },
  not_waiting: { code: 'rejected', detail: OBSTACLE_TEXTS.not_waiting },
  too_late: { code: 'rejected', detail: OBSTACLE_TEXTS.too_late },
  merchant_disabled: { code: 'rejected', detail: OBSTACLE_TEXTS.merchant_disabled },
};

function approveProblem(failure: ApproveFailure): ManageProblem {
  return typeof failure === 'string' ? APPROVE_PROBLEMS[failure] : wordsProblem(failure);
}

function readPlace(cursor: string) {
  const [approveBy, merchantId, payoutId] = readCursor(cursor) ?? [];
  return typeof approveBy === 'number' && typeof merchantId === 'string' && typeof payoutId === 'string'
    ? { approveBy, merchantId, payoutId }
    : undefined;
}

const RESOLVE_PROBLEMS: Readonly<Record<Exclude<ResolvePayoutFailure, WordsRejection>, ManageProblem>> = {
  payout_not_found: CANCEL_PROBLEMS.payout_not_found,
  never_sent: {
    code: 'rejected',
    field: '/rail',
    detail: 'The gateway never sent the payout to that bank. A payout that waits to be sent can be cancelled.',
  },
  nothing_changes: {
    code: 'rejected',
    detail:
      'The payout already has this outcome, or it is now at another bank. Check its attempts, and run "gateway difference list".',
  },
};

function resolveProblem(failure: ResolvePayoutFailure): ManageProblem {
  return typeof failure === 'string' ? RESOLVE_PROBLEMS[failure] : wordsProblem(failure);
}

function obstacleText(obstacle: keyof typeof OBSTACLE_TEXTS | AskPayoutFailure): string {
  if (typeof obstacle === 'string') return OBSTACLE_TEXTS[obstacle];
  return obstacle.kind === 'rail_not_configured'
    ? `The rail ${obstacle.rail} is not configured in this process. Use the portal of the running gateway, or pass --url.`
    : OBSTACLE_TEXTS[obstacle.kind];
}
