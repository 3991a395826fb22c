/** Handles the act "pay": checks the payer's input and starts one attempt. */

import { type TryRefusal, tryToPay } from '../../../domain/payments/pay.ts';
import type { PaymentCard } from '../../../domain/payments/payment-rail.ts';
import type { ProblemKind, ViewOf } from '../pages/page-view.ts';
import { shopOf } from '../view/view-facts.ts';
import { type ActAnswer, type ActRequest, onward } from './act-request.ts';
import { actingPayer } from './acting-payer.ts';
import { type ReadDetails, readCard, readDetails } from './read-payer.ts';

const UNPROCESSABLE = 422;

export async function payFromPage(request: ActRequest, view: ViewOf<'card'> | ViewOf<'details'>): Promise<ActAnswer> {
  const { parts, visit, facts, posted } = request;
  const { choice } = facts;
  const details = readDetails(view.details.fields, posted, visit.merchant.settings);
  if (view.kind === 'details') {
    if (details.areRight) return tryOnce(request, view.paymentType, null, details);
    return { kind: 'show', view: { ...view, details: details.shown }, choice, status: UNPROCESSABLE };
  }
  const { card, errors, holder } = readCard(posted, parts.payments.clock.now());
  if (card !== null && details.areRight) return tryOnce(request, 'card', card, details);
  return { kind: 'show', view: { ...view, errors, holder, details: details.shown }, choice, status: UNPROCESSABLE };
}

async function tryOnce(
  { parts, visit, facts, requester, tries }: ActRequest,
  paymentType: ViewOf<'details'>['paymentType'] | 'card',
  card: PaymentCard | null,
  { given }: ReadDetails,
): Promise<ActAnswer> {
  const wanted = actingPayer(parts, visit, facts.choice, requester, given);
  const attemptsSeen = visit.record.attempts.length;
  const tried = await tries.wait(tryToPay(parts.payments, { ...wanted, paymentType, card, attemptsSeen }));
  const problem = !tried || tried.ok ? undefined : PROBLEMS[tried.error.kind];
  const choice = onward(facts.choice);
  if (!problem) return { kind: 'go', choice };
  const shopUrl = shopOf(visit.record, visit.merchant);
  return { kind: 'show', view: { kind: 'problem', problem, shopUrl }, choice };
}

/** Refusals that need a problem page. Null means that the payment's own page shows the reason. */
const PROBLEMS: Readonly<Record<TryRefusal['kind'], ProblemKind | null>> = {
  method_unavailable: 'method_unavailable',
  merchant_disabled: 'merchant_unavailable',
  order_paid: 'order_already_paid',
  order_taken: 'order_being_paid',
  session_expired: null,
  in_flight: null,
  ended: null,
  too_many_attempts: null,
  out_of_date: null,
  too_many_tries: 'too_many_requests',
};
