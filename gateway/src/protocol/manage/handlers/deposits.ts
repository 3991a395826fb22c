/** Deposits: a deposit with its attempts and transfers, held money, and the actions on both. */
import type { DEPOSIT_ENDPOINTS, DepositRecord as DepositRecordView } from '../../../../contract/endpoints/deposits.ts';
import { DEPOSIT_WAITS } from '../../../../contract/texts/deposit-waits.ts';
import type { HeldRejection, ResolutionRejection } from '../../../domain/deposits/resolve-transfer.ts';
import type { ReturnRejection } from '../../../domain/deposits/return-transfer.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { RefundRejection } from '../../../domain/payments/adjustments/adjustment-store.ts';
import type { EndAttemptsRejection } from '../../../domain/payments/attempts/end-attempts.ts';
import type { DepositObstacles } from '../../../domain/payments/deposit-obstacles.ts';
import type { ExplainedDeposit } from '../../../domain/payments/explain-deposit.ts';
import { type Caller, mayUse } from '../../../domain/people/caller.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { formatAmount, formatMoney } from '../../../foundation/money.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, notFound, wordsProblem } from '../problems.ts';
import { relatedToDeposit } from '../related-objects.ts';
import { viewCallback } from '../views/callback-view.ts';
import { viewAttempt, viewDeposit, viewTransfer } from '../views/deposit-views.ts';
import { viewExplanation, viewHistory } from '../views/history-views.ts';
import { instantText } from '../views/instant-text.ts';
import { viewLedgerLine } from '../views/ledger-views.ts';
import { actorsShownTo, type Mask, maskFor, type ShowActor } from '../views/mask.ts';
import { viewPayout } from '../views/payout-view.ts';

export function depositHandlers(
  operations: GatewayOperations,
  now: () => Instant,
): HandlersOf<typeof DEPOSIT_ENDPOINTS> {
  const { deposits, merchants, monitoring, people } = operations;
  /** The account of a suspended merchant is in doubt, so only the operator's callers refund its payers. */
  const isDisabled = async ({ merchantId }: Caller) =>
    merchantId !== null && (await merchants.find(merchantId))?.merchant.state === 'suspended';
  return {
    async 'deposits.show'({ params, caller }) {
      const found = await deposits.find(params.merchantId, params.orderId);
      if (!found) return fail(NO_DEPOSIT);
      const itsPace = found.pending && (await monitoring.pace('deposit', found.deposit.rail));
      const acts = actsOf(await deposits.obstacles(found), caller, await isDisabled(caller));
      const related = await relatedToDeposit(operations, found, caller, now());
      const show = await actorsShownTo(caller, people.actorNames);
      return ok({ answer: { ...viewRecord(found, maskFor(caller), show), related, pace: itsPace, acts } });
    },
    async 'deposits.overdue'({ query }) {
      const found = await deposits.overdue(query.limit ?? 50);
      const items = found.map(({ money, startedAt, deadline, ...payment }) => ({
        ...payment,
        amount: formatAmount(money),
        currency: money.currency,
        startedAt: instantText(startedAt),
        overdueSince: instantText(deadline),
      }));
      return ok({ answer: { items } });
    },
    async 'deposits.refund'({ params, body, act, caller }) {
      if (await isDisabled(caller)) return fail(DISABLED);
      const { amount = null, reason } = body;
      const refunded = await deposits.refund({ ...params, amount, reason, by: caller.actor.name, act });
      if (!refunded.ok) return fail(refundProblem(refunded.error));
      const answer = viewPayout(refunded.value, maskFor(caller));
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'deposits.endAttempts'({ params, body, caller }) {
      const ended = await deposits.endAttempts({ ...params, reason: body.reason, by: caller.actor.name });
      if (!ended.ok) return fail(endAttemptsProblem(ended.error));
      const answer = { ended: ended.value.map(({ rail, reference }) => ({ rail, reference })) };
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'transfers.held'({ query, caller }) {
      const mask = maskFor(caller);
      const found = await deposits.held(query.limit ?? 50);
      return ok({ answer: { items: found.map((held) => ({ ...viewTransfer(held, mask), orderId: held.orderId })) } });
    },
    async 'transfers.resolve'({ params, body: { to = null, reason }, caller }) {
      const resolved = await deposits.resolve({ ...params, to, reason, by: caller.actor.name });
      if (!resolved.ok) return fail(resolutionProblem(resolved.error));
      const answer = viewDeposit(resolved.value);
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'transfers.return'({ params, body, caller }) {
      const returned = await deposits.returnTransfer({ ...params, reason: body.reason, by: caller.actor.name });
      if (!returned.ok) return fail(returnProblem(returned.error));
      const { merchantId, payoutId } = returned.value;
      return ok({ answer: { merchantId, payoutId }, change: { before: null, after: { merchantId, payoutId } } });
    },
  };
}

function actsOf(
  { refund, endAttempts }: DepositObstacles,
  caller: Caller,
  isDisabled: boolean,
): DepositRecordView['acts'] {
  type Act = DepositRecordView['acts'][number];
  const viewed = (act: Act['act'], reason: Act['reason'], problem: ManageProblem | null): Act =>
    mayUse(caller, 'deposits:write')
      ? { act, reason, obstacle: problem?.detail ?? null }
      : { act, reason: 'no_permission', obstacle: 'The credential lacks the permission deposits:write.' };
  const ending = endAttempts && endAttemptsProblem({ kind: endAttempts });
  return [
    isDisabled
      ? viewed('deposits.refund', 'merchant_disabled', DISABLED)
      : viewed('deposits.refund', refund?.kind ?? null, refund && refundProblem(refund)),
    ...(caller.merchantId === null ? [viewed('deposits.endAttempts', endAttempts, ending)] : []),
  ];
}

function viewRecord(
  record: ExplainedDeposit,
  mask: Mask,
  show: ShowActor,
): Omit<DepositRecordView, 'related' | 'pace' | 'acts'> {
  const { deposit, pending, attempts, transfers, adjustments, refunds, history, money, callbacks } = record;
  return {
    ...viewDeposit(deposit),
    payer: {
      userId: deposit.payer.userId,
      firstName: mask(deposit.payer.firstName),
      lastName: mask(deposit.payer.lastName),
    },
    pending: pending && viewExplanation(pending, DEPOSIT_WAITS),
    attempts: attempts.map(viewAttempt),
    transfers: transfers.map((transfer) => viewTransfer(transfer, mask)),
    adjustments: adjustments.map(({ at, kind, key, attempt, money, posted, detail }) => ({
      kind,
      key,
      attempt,
      detail,
      at: instantText(at),
      amount: formatAmount(money),
      currency: money.currency,
      posted: formatAmount({ ...money, minor: posted }),
    })),
    refunds: refunds.map(({ attempt, reason, payout }) => ({ attempt, reason, payout: viewPayout(payout, mask) })),
    history: viewHistory(history, show),
    money: money.map(viewLedgerLine),
    callbacks: callbacks.map(viewCallback),
  };
}

const DISABLED = rejected('The merchant is suspended. Only the operator can order its refunds.');
const NO_DEPOSIT = notFound('The merchant has no deposit for this order. "gateway deposit list" lists all deposits.');

function rejected(detail: string): ManageProblem {
  return { code: 'rejected', detail };
}

function heldProblem(rejection: HeldRejection): ManageProblem {
  if (rejection.kind === 'transfer_not_found')
    return notFound('No incoming transfer of the rail has this key. "gateway deposit held" lists the held transfers.');
  if (rejection.kind === 'not_held') return rejected(`The transfer is not held: its state is ${rejection.state}.`);
  return wordsProblem(rejection);
}

function resolutionProblem(rejection: ResolutionRejection): ManageProblem {
  switch (rejection.kind) {
    case 'deposit_missing':
      return {
        code: 'rejected',
        field: '/to',
        detail: 'No deposit matches this transfer. Pass the merchant and the order.',
      };
    case 'deposit_not_found':
      return notFound('That merchant has no deposit for this order. "gateway deposit list" lists all deposits.', '/to');
    case 'currency_differs':
      return { code: 'rejected', field: '/to', detail: 'The deposit and the transfer have different currencies.' };
    default:
      return heldProblem(rejection);
  }
}

function returnProblem(rejection: ReturnRejection): ManageProblem {
  switch (rejection.kind) {
    case 'rail_returns_nothing':
      return rejected('The rail of the transfer cannot return money, or is not configured in this process.');
    case 'originator_unknown':
      return rejected('The bank of the transfer did not state the originator’s account.');
    default:
      return heldProblem(rejection);
  }
}

function endAttemptsProblem(rejection: EndAttemptsRejection): ManageProblem {
  switch (rejection.kind) {
    case 'deposit_not_found':
      return NO_DEPOSIT;
    case 'just_begun':
      return rejected(
        'The attempt has just begun, and its call to the provider may be in flight. Repeat the action in a minute.',
      );
    case 'nothing_in_flight':
      return rejected('The deposit has no payment attempt in flight.');
    default:
      return wordsProblem(rejection);
  }
}

function refundProblem(rejection: RefundRejection): ManageProblem {
  switch (rejection.kind) {
    case 'deposit_not_found':
      return NO_DEPOSIT;
    case 'not_paid':
      return rejected(`The deposit is not paid: its state is ${rejection.state}.`);
    case 'displaced':
      return rejected('Another deposit has the order, and the money is held. Credit the held money first.');
    case 'rail_refunds_nothing':
      return rejected(`The rail ${rejection.rail} of the payment cannot refund, or is not configured in this process.`);
    case 'invalid_amount':
      return {
        code: 'invalid-request',
        field: '/amount',
        detail: 'amount must be above zero, with the decimals of its currency.',
      };
    case 'nothing_left':
      return rejected('Nothing is left to refund: all money was returned, or a refund is pending.');
    case 'moved':
      return rejected(
        `The money was credited to ${rejection.merchantId} for the order ${rejection.orderId}. Refund that deposit.`,
      );
    case 'more_than_left':
      return {
        code: 'rejected',
        field: '/amount',
        detail: `Only ${formatMoney(rejection.left)} can still be refunded.`,
      };
    case 'insufficient_funds':
      return {
        code: 'insufficient-funds',
        detail:
          rejection.owed.minor > 0n
            ? `The merchant owes ${formatMoney(rejection.owed)} and cannot pay out until the debt is repaid.`
            : `The merchant has only ${formatMoney(rejection.available)} available.`,
      };
    default:
      return wordsProblem(rejection);
  }
}
