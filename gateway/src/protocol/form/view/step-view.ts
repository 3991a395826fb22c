/** The view of an attempt in progress: the payer's step, or the event that it waits for. */

import type { PaymentAttempt } from '../../../domain/payments/payment-attempt.ts';
import type { PayerStep } from '../../../domain/payments/payment-rail.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { PageView, ViewOf } from '../pages/page-view.ts';
import { chosenBank, headOf, payerDeadline, redirectOf, type ViewFacts } from './view-facts.ts';
import { canChangeWay } from './ways-to-pay.ts';

/** The time that 3-D Secure allows a bank for the fingerprint of a browser. */
const FINGERPRINT_MS = 10 * SECOND_MS;

export function stepView(facts: ViewFacts, attempt: PaymentAttempt): PageView {
  if (attempt.state !== 'acting') return waitView(facts, attempt);
  // The payer may have acted at the last moment, so the gateway is asking the provider.
  if (facts.now >= payerDeadline(facts.record)) return waiting(facts, attempt, 'confirmation');
  invariant(attempt.step, 'who acts has a step');
  return actView(facts, attempt, attempt.step);
}

/** The payer need not wait for authorised money that is still pending after a status query (decisions, States). */
function waitView(facts: ViewFacts, attempt: PaymentAttempt): PageView {
  if (attempt.state !== 'deciding') return waiting(facts, attempt, 'confirmation');
  if (!attempt.isAuthorised) return waiting(facts, attempt, 'bank');
  const returnUrl = attempt.asks > 0 ? redirectOf(facts, 'success') : null;
  if (returnUrl === null) return waiting(facts, attempt, 'settlement');
  return { kind: 'going_back', returnUrl, payment: headOf(facts, false) };
}

function waiting(
  facts: ViewFacts,
  { startedAt }: PaymentAttempt,
  awaits: 'bank' | 'confirmation' | 'settlement',
): PageView {
  return { kind: 'waiting', awaits, since: startedAt, payment: headOf(facts, false) };
}

function actView(facts: ViewFacts, attempt: PaymentAttempt, step: PayerStep): PageView {
  const payment = { ...headOf(facts, true), canChangeWay: canChangeWay(facts, attempt) };
  const origins = facts.rails.find(({ name }) => name === attempt.rail)?.frameOrigins ?? [];
  switch (step.kind) {
    case 'redirect':
      return { kind: 'leave', url: step.url, bankName: chosenBank(facts)?.name ?? '', payment };
    case 'frame':
      return { kind: 'frame', url: step.url, origins, payment };
    case 'post':
      return step.purpose === 'fingerprint'
        ? { kind: 'fingerprint', post: step, origins, timeoutMs: FINGERPRINT_MS, payment }
        : { kind: 'challenge', post: step, origins, payment };
    case 'code':
      return { kind: 'code', text: step.text, since: attempt.startedAt, payment };
    case 'elsewhere':
      return { kind: 'bank_message', ...shownContact(facts, attempt), since: attempt.startedAt, payment };
  }
}

/**
 * The masked contact that receives the message, so that the payer recognises it. Only the merchant's contact appears,
 * because the gateway does not store the payer's own input.
 */
function shownContact(
  { record, rails }: ViewFacts,
  { rail }: PaymentAttempt,
): Pick<ViewOf<'bank_message'>, 'email' | 'phone'> {
  const { email = '', phone = '' } = record.session.parameters;
  const goesByEmail = rails.find(({ name }) => name === rail)?.needs.includes('email') === true;
  const [, first = '', domain = ''] = /^(.)[^@]*(@.*)$/u.exec(email) ?? [];
  if (goesByEmail) return { email: email === '' ? '' : `${first}•••${domain}`, phone: '' };
  return { email: '', phone: phone === '' ? '' : `•••${phone.slice(-3)}` };
}
