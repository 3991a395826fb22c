/** Callbacks: a callback with every delivery attempt, and resending it. */
import type { CALLBACK_ENDPOINTS } from '../../../../contract/endpoints/callbacks.ts';
import { CALLBACK_WAITS } from '../../../../contract/texts/callback-waits.ts';
import type { Callback, CallbackAttempt, SentCallback } from '../../../domain/callbacks/callback.ts';
import type { ResendFailure } from '../../../domain/callbacks/resend-callback.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { fail, ok } from '../../../foundation/result.ts';
import { rewriteCallback } from '../../callbacks/sign-callback.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, MERCHANT_NOT_FOUND, notFound } from '../problems.ts';
import { viewCallback } from '../views/callback-view.ts';
import { viewExplanation } from '../views/history-views.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';

export function callbackHandlers({ callbacks }: GatewayOperations): HandlersOf<typeof CALLBACK_ENDPOINTS> {
  return {
    async 'callbacks.show'({ params }) {
      const found = await callbacks.find(params);
      if (!found) return fail(RESEND_PROBLEMS.callback_not_found);
      const { callback, attempts, explanation } = found;
      const answer = {
        ...viewCallback(callback),
        payload: { ...callback.payload },
        pending: explanation ? viewExplanation(explanation, CALLBACK_WAITS) : null,
        deliveries: attempts.map((attempt) => viewDelivery(callback, attempt)),
      };
      return ok({ answer });
    },
    async 'callbacks.failing'() {
      const lanes = await callbacks.failing();
      const items = lanes.map((lane) => ({
        ...lane,
        since: instantText(lane.since),
        nextAt: instantTextOrNull(lane.nextAt),
      }));
      return ok({ answer: { items } });
    },
    async 'callbacks.pace'({ params: { merchantId }, query: { hours = 48 } }) {
      const { callbacks: counted, hours: items } = await callbacks.pace(merchantId, hours);
      return ok({
        answer: {
          callbacks: counted,
          items: items.map(({ start, ...hour }) => ({ start: instantText(start), ...hour })),
        },
      });
    },
    async 'callbacks.test'({ params, body }) {
      const tested = await callbacks.test(params.merchantId, body.subject);
      if (!tested) return fail(RESEND_PROBLEMS.merchant_not_found);
      const answer = viewDelivery(tested.callback, tested.attempt);
      return ok({ answer, change: { before: null, after: { subject: body.subject, outcome: answer.outcome } } });
    },
    async 'callbacks.resend'({ params }) {
      const resent = await callbacks.resend(params);
      if (!resent.ok) return fail(RESEND_PROBLEMS[resent.error]);
      return ok({
        answer: { before: resent.value },
        change: { before: { state: resent.value }, after: { state: 'due' } },
      });
    },
    async 'callbacks.resendUndelivered'({ params, body }) {
      const since = body.since === undefined ? 0 : Date.parse(body.since);
      const resent = await callbacks.resendUndelivered(params.merchantId, since);
      if (!resent.ok) return fail(RESEND_PROBLEMS[resent.error]);
      const answer = { resent: resent.value };
      return ok({ answer, change: { before: null, after: answer } });
    },
  };
}

function viewDelivery(callback: Callback, { startedAt, sent, ...delivery }: CallbackAttempt) {
  const { attempt, latencyMs, httpStatus, outcome, reply } = delivery;
  return {
    attempt,
    latencyMs,
    httpStatus,
    outcome,
    reply,
    startedAt: instantText(startedAt),
    sent: sent ? viewSent(callback, sent) : null,
  };
}

function viewSent(callback: Callback, sent: SentCallback) {
  const { method, path, headers, body } = rewriteCallback(callback, sent);
  const url = new URL(sent.address).origin + path;
  return { method, url, headers: { ...headers }, body: body?.toString() ?? null };
}

const RESEND_PROBLEMS: Readonly<Record<ResendFailure, ManageProblem>> = {
  merchant_not_found: MERCHANT_NOT_FOUND,
  callback_not_found: notFound(
    'The merchant has no callback with this id. "gateway callback list" lists its callbacks.',
  ),
  not_wanted: {
    code: 'rejected',
    detail: 'The merchant’s setting payout_callback is off, so the gateway does not send this callback.',
  },
};
