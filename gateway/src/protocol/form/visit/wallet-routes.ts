/**
 * POST /payment/form/{token}/apple-pay: the session in which Safari opens Apple Pay on the page. The host and the name are
 * the gateway's and the merchant's, whatever the browser sends.
 */
import type { FastifyInstance } from 'fastify';
import { choosePaymentRail } from '../../../domain/payments/choose-payment-rail.ts';
import { MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { withDeadline } from '../../../foundation/deadline.ts';
import { addressKey } from '../../authentication/client-address.ts';
import { createRateLimiter } from '../../authentication/rate-limit.ts';
import { parseForm, queryOf, readLoosely } from '../../http/form-body.ts';
import { FORM_PATH, type FormParts, factsOf, findVisit } from '../form-visit.ts';
import { isCsrfToken } from '../view/form-secrets.ts';
import { readChoice } from '../view/page-choice.ts';
import { viewOf } from '../view/payment-view.ts';
import type { PageRequest } from './page-routes.ts';

const TIMEOUT_MS = 10 * SECOND_MS;

export function walletRoutes(scope: FastifyInstance, parts: FormParts): void {
  const limiter = createRateLimiter(parts.payments.clock, MINUTE_MS);
  scope.post(`${FORM_PATH}/:token/apple-pay`, async (request: PageRequest, reply) => {
    const { clock, rails } = parts.payments;
    const visit = await findVisit(parts, request.params.token);
    const text = String(request.body ?? '');
    const csrf = text === '' ? '' : (parseForm(text).get('csrf') ?? '');
    if (!visit || !isCsrfToken(parts, visit.token, csrf)) return reply.code(403).send();
    const { record, merchant } = visit;
    const view = viewOf(factsOf(parts, visit, readChoice(readLoosely(queryOf(request)))));
    const applePay = choosePaymentRail(rails, merchant, 'card', record.session.money.currency)?.wallets?.applePay;
    if (view.kind !== 'card' || !applePay) return reply.code(409).send();
    const limit = merchant.settings.form_rate_limit ?? parts.defaultFormRate;
    if (limiter.take(`${merchant.merchantId} ${addressKey(request.ip)}`, limit) > 0) return reply.code(429).send();
    const shop = { name: view.payment.merchantName, host: new URL(parts.publicUrl()).hostname };
    const opened = await withDeadline(clock, TIMEOUT_MS, (deadline) => applePay.openSession(shop, deadline));
    if (!opened.ok) return reply.code(502).send();
    return reply.type('application/json').header('cache-control', 'no-store').send(opened.value);
  });
}
