/**
 * Money that leaves through STP: returns of what came in and fits nothing. The order goes to one host, the question what
 * became of it to another. What an answer means is decided in protocol.ts, queries.ts and vocabulary.ts.
 *
 * STP finds an order only under its operation date. It has the current one or one from the last attempt on, so all of
 * them are asked for, and `not_found` is said only when none has it. STP's day may begin a while before or after ours (the
 * minute of the change is not confirmed, holidays are not known): hence the hour before, and both the date left out, which
 * is STP's own today, and our today by its name.
 *
 * Confirmed: see the three files above. Not confirmed: how soon after its registration an order is found, how long STP
 * takes to answer, how many requests at once it allows. The numbers below are careful choices: a return can wait, and one
 * that was sent twice is hard to get back.
 */
import type { KeyObject } from 'node:crypto';
import { RETURN_METHOD } from '../../domain/payouts/payout.ts';
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { beneficiaryField } from '../kit/beneficiary-field.ts';
import { type Declined, declined, notTaken, unanswered, unknown } from '../kit/payout-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { askTransfer, type Exchange, HEADERS } from './ask-queries.ts';
import { isClabe } from './clabe.ts';
import { STP, type StpConfiguration } from './configuration.ts';
import { operationDates } from './operation-date.ts';
import { numericReferenceOf, trackingKeyOf } from './order-reference.ts';
import { keepPrivateKey } from './private-key.ts';
import {
  isSignatureRefused,
  type PaymentOrder,
  REGISTER_ORDER_PATH,
  type Registration,
  readRegistration,
  speiText,
  writeOrder,
} from './protocol.ts';
import type { ListedTransfer } from './queries.ts';
import { codeOfRefusal, endOf } from './vocabulary.ts';

const STP_DAY_DIFFERS_MS = HOUR_MS;
const CONCEPT = 'DEVOLUCION';

export interface StpPayoutRailParts {
  /** STP's two hosts; one and the same at a simulator. */
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
    methods: new Set([RETURN_METHOD]),
    simulated: configuration.simulated,
    notifies: true,
    // One question is several queries when the order is of an earlier day.
    timeoutMs: 20 * SECOND_MS,
    notFoundProofMs: 15 * MINUTE_MS,
    // Within seconds STP tells by itself; asking is for what it did not tell.
    askAfterMs: [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: configuration.concurrency,
    async send(order, deadline) {
      const payment = paymentOf(order, configuration);
      if (!payment.ok) return payment.error;
      const key = privateKey();
      if (!key.ok) return notTaken(key.error);
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

/** The order in STP's fields; a decline when STP can't carry it, so that it need not be asked. */
function paymentOf(order: PayoutOrder, { empresa, beneficiary }: StpConfiguration): Result<PaymentOrder, Declined> {
  const [account, institution, paidTo] = (['account', 'institution', 'paid_to'] as const).map((name) =>
    beneficiaryField(order, name),
  );
  if (!account || !isAccount(account))
    return fail(declined('52', 'the originator’s account is no CLABE, card or mobile number'));
  if (!institution || !/^\d{5}$/.test(institution))
    return fail(declined('52', 'the originator’s bank is not known by its number'));
  if (!paidTo || !isClabe(paidTo))
    return fail(declined('50', 'the account that the money came to is no CLABE of ours'));
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
    case 'taken':
      return { kind: 'pending' };
    case 'key_used':
      return unknown('STP has an order under this claveRastreo');
    case 'unknown':
      return registration;
    case 'refused': {
      const { id, reason } = registration;
      if (!isSignatureRefused(registration)) return declined(codeOfRefusal(id), reason);
      // A person has to give STP the right key; the order itself is sound.
      hooks.onCredentialRefused(STP);
      return notTaken(`STP refuses our signature: ${reason}`);
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
    return unknown('STP tells of another order than was asked for');
  const { state, estado } = transfer;
  return endOf(transfer) ?? (state === 'unknown' ? unknown(`STP says ${estado}`) : { kind: 'pending' });
}
