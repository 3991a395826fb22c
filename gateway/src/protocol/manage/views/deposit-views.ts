/** Deposits, transfers and payment attempts as the management API shows them. */
import type {
  Attempt as AttemptView,
  Deposit as DepositView,
  Transfer as TransferView,
} from '../../../../contract/endpoints/deposits.ts';
import type { Deposit, RecordedTransfer } from '../../../domain/deposits/deposit.ts';
import type { RecordedAttempt } from '../../../domain/payments/attempts/payment-attempt.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { instantText, instantTextOrNull } from './instant-text.ts';
import type { Mask } from './mask.ts';

export function viewDeposit(deposit: Deposit): DepositView {
  const { merchantId, orderId, transactionId, uuid, paymentType, money, state, failReason, displacedBy, rail } =
    deposit;
  const part = (minor: bigint) => formatAmount({ ...money, minor });
  return {
    merchantId,
    orderId,
    transactionId,
    uuid,
    paymentType,
    state,
    failReason,
    displacedBy,
    rail,
    payTo: deposit.payTo,
    amount: formatAmount(money),
    received: part(deposit.received),
    fee: part(deposit.fee),
    currency: money.currency,
    createdAt: instantText(deposit.createdAt),
    expiresAt: instantText(deposit.expiresAt),
    closesAt: instantText(deposit.closesAt),
    finishedAt: instantTextOrNull(deposit.finishedAt),
  };
}

export function viewTransfer(transfer: RecordedTransfer, mask: Mask): TransferView {
  const { rail, transferKey, merchantId, transactionId, money, state, mismatch, payTo, originator } = transfer;
  const { name, account, institution, concept, trackingKey } = originator;
  return {
    rail,
    transferKey,
    merchantId,
    transactionId,
    state,
    mismatch,
    payTo,
    amount: formatAmount(money),
    currency: money.currency,
    kept: formatAmount({ ...money, minor: transfer.kept }),
    originator: { name: mask(name), account: mask(account), institution, concept, trackingKey },
    bookedAt: instantText(transfer.bookedAt),
    recordedAt: instantText(transfer.recordedAt),
    resolvedAt: instantTextOrNull(transfer.resolvedAt),
    resolution: transfer.resolution,
    returnId: transfer.returnId,
  };
}

export function viewAttempt(recorded: RecordedAttempt): AttemptView {
  const { attempt, paymentType, rail, reference, providerReference, state, refusal, detail } = recorded;
  return {
    attempt,
    paymentType,
    rail,
    reference,
    providerReference,
    state,
    refusal,
    detail,
    card: recorded.cardMask ?? null,
    step: recorded.step?.kind ?? null,
    startedAt: instantText(recorded.startedAt),
    finishedAt: instantTextOrNull(recorded.finishedAt),
  };
}
