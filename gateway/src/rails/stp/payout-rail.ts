/**
 * Sends money through STP: returns of unmatched transfers. Orders go to one host, queries to another. protocol.ts, queries.ts,
 * refusals.ts and vocabulary.ts decide what a response means.
 *
 * STP finds an order only under its operation date. An order has the current date or one since its last attempt, so the rail
 * queries all of them, and returns `not_found` only if none has it. STP's day may begin earlier or later than ours (the minute
 * of the change is not confirmed, holidays are not known). Hence the rail includes one hour before the attempt, and queries
 * the current day both without a date, which is STP's own current day, and by our date.
 *
 * Confirmed: see the three files above. Not confirmed: how soon after its registration STP finds an order, how long STP takes
 * to respond, and how many concurrent requests it allows. The numbers below are cautious, because a return can wait, and money
 * that was sent twice is hard to recover.
 */
import type { KeyObject } from 'node:crypto';
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { beneficiaryField, type Declined, declined, notAccepted, unanswered, unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { askTransfer, type Exchange, HEADERS } from './api.ts';
import { isClabe } from './clabe.ts';
import { STP, type StpConfiguration } from './configuration.ts';
import { keepPrivateKey } from './key-files.ts';
import { operationDates } from './operation-date.ts';
import {
  type PaymentOrder,
  REGISTER_ORDER_PATH,
  type Registration,
  readRegistration,
  speiText,
  writeOrder,
} from './protocol.ts';
import type { ListedTransfer } from './queries.ts';
import { numericReferenceOf, trackingKeyOf } from './reference.ts';
import { declineReasonOfRefusal, isSignatureRefused } from './refusals.ts';
import { endOf } from './vocabulary.ts';

const STP_DAY_DIFFERS_MS = HOUR_MS;
const CONCEPT = 'DEVOLUCION';

interface StpPayoutRailParts {
  /** STP's two hosts. A simulator uses one host for both. */
  readonly orders: Exchange;
  readonly queries: Exchange;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

export function createStpPayoutRail(configuration: StpConfiguration, parts: StpPayoutRailParts): PayoutRail {
  const { orders, hooks } = parts;
  const privateKey = keepPrivateKey(configuration);
  return {
    name: STP,
    methods: new Set(),
    ownPurposes: new Set(['return'] as const),
    simulated: configuration.simulated,
    notifies: true,
    // STP's rejection contains no order, so it may have been the response to another order.
    isReconciledByAsking: true,
    // One status query becomes several HTTP requests for an order from an earlier day.
    timeoutMs: 20 * SECOND_MS,
    notFoundProofMs: 15 * MINUTE_MS,
    // STP notifies us within seconds. These queries cover lost notifications.
    askAfterMs: [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: configuration.concurrency,
    async send(order, deadline) {
      const payment = paymentOf(order, configuration);
      if (!payment.ok) return payment.error;
      const key = privateKey();
      if (!key.ok) return notAccepted(key.error);
      const body = writeOrder(payment.value, key.value);
      const request = { verb: 'PUT', path: REGISTER_ORDER_PATH, headers: HEADERS, body } as const;
      const reply = await orders.exchange(request, deadline);
      if (reply.kind !== 'answered') return unanswered(reply);
      return answerOf(readRegistration(reply.status, reply.body), hooks);
    },
    async ask(order, deadline) {
      const key = privateKey();
      if (!key.ok) return unknown(key.error);
      return findOrder(order, configuration.empresa, key.value, parts, deadline);
    },
  };
}

/** Returns the order in STP's fields, or a decline without a call if STP cannot carry it. */
function paymentOf(order: PayoutOrder, { empresa, beneficiary }: StpConfiguration): Result<PaymentOrder, Declined> {
  const [account, institution, paidTo] = (['account', 'institution', 'paid_to'] as const).map((name) =>
    beneficiaryField(order, name),
  );
  if (!account || !isAccount(account))
    return fail(declined('invalid_beneficiary', 'the originator’s account is not a CLABE, card or mobile number'));
  if (!institution || !/^\d{5}$/.test(institution))
    return fail(declined('invalid_beneficiary', 'the originator’s bank has no known number'));
  if (!paidTo || !isClabe(paidTo))
    return fail(declined('unspecified', 'the credited account is not one of our CLABEs'));
  const trackingKey = trackingKeyOf(order.reference);
  return ok({
    empresa,
    claveRastreo: trackingKey,
    folioOrigen: trackingKey,
    money: order.money,
    institucionContraparte: institution,
    cuentaOrdenante: paidTo,
    nombreOrdenante: beneficiary,
    cuentaBeneficiario: account,
    nombreBeneficiario: beneficiaryField(order, 'full_name'),
    conceptoPago: speiText(beneficiaryField(order, 'concept')) || CONCEPT,
    referenciaNumerica: numericReferenceOf(order.reference),
  });
}

function isAccount(account: string): boolean {
  return account.length === 18 ? isClabe(account) : /^(?:\d{10}|\d{15,16})$/.test(account);
}

function answerOf(registration: Registration, hooks: RailHooks): RailAnswer {
  switch (registration.kind) {
    case 'accepted':
      return { kind: 'pending' };
    case 'key_used':
      return unknown('STP has an order under this claveRastreo');
    case 'unknown':
      return registration;
    case 'refused': {
      const { id, reason } = registration;
      if (!isSignatureRefused(registration)) return declined(declineReasonOfRefusal(id), reason);
      // The operator must register the right key with STP. The order itself is valid.
      hooks.onCredentialRefused(STP);
      return notAccepted(`STP refuses our signature: ${reason}`);
    }
  }
}

async function findOrder(
  order: PayoutOrder,
  empresa: string,
  privateKey: KeyObject,
  { queries, clock }: StpPayoutRailParts,
  deadline: Deadline,
): Promise<RailStatus> {
  const claveRastreo = trackingKeyOf(order.reference);
  const { sendUntil, writtenFrom = sendUntil } = order;
  const dates = [null, ...operationDates(writtenFrom - STP_DAY_DIFFERS_MS, clock.now())];
  for (const fechaOperacion of dates) {
    const query = { empresa, claveRastreo, direction: 'E', fechaOperacion } as const;
    const answer = await askTransfer(queries, query, privateKey, deadline);
    if (answer.kind === 'unknown') return answer;
    if (answer.kind === 'found') return statusOf(order, claveRastreo, answer.transfer);
  }
  return { kind: 'not_found' };
}

function statusOf({ money }: PayoutOrder, claveRastreo: string, transfer: ListedTransfer): RailStatus {
  if (transfer.claveRastreo !== claveRastreo || transfer.money.minor !== money.minor)
    return unknown('STP’s response is about another order');
  const { state, estado } = transfer;
  return endOf(transfer) ?? (state === 'unknown' ? unknown(`STP reports ${estado}`) : { kind: 'pending' });
}
