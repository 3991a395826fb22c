/** Turns the events of deposits, their attempts and their transfers into log lines, metrics and alerts. */
import type { Deposit, DepositKey, IncomingTransfer, TransferId } from '../../domain/deposits/deposit.ts';
import type { DepositRejection } from '../../domain/deposits/deposit-rejection.ts';
import type {
  DepositChange,
  DepositSettlementOutcome,
  Displacement,
  ReceiptOutcome,
  ReceiptPlan,
} from '../../domain/deposits/deposit-store.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import type { RecordAdjustmentParts } from '../../domain/payments/adjustments/record-adjustment.ts';
import type { AttemptKey } from '../../domain/payments/attempts/payment-attempt.ts';
import type { AttemptOutcome } from '../../domain/payments/payment-store.ts';
import type { TransferReconciliation } from '../../domain/reconciliation/reconcile-transfers.ts';
import { maskedIdentifier } from '../../domain/vault/card-number.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { FormRejection } from '../../protocol/form/request/form-fields.ts';
import type { RaiseAlert } from './alerts.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export interface HooksParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly raise: RaiseAlert;
}

function noteReceipt(
  { log, metrics, raise }: HooksParts,
  { rail, transferKey }: TransferId,
  merchant: MerchantId,
  { transfer, change }: ReceiptPlan,
): void {
  const key = maskedIdentifier(transferKey);
  const mismatch = transfer.mismatch ?? 'none';
  metrics.transferReceived(rail, transfer.state, mismatch);
  if (change) metrics.depositFinal(change.state, '');
  log('transfer_received', { rail, transfer_key: key, merchant, state: transfer.state, mismatch });
  if (transfer.state === 'held') raise('transfer_held', `${rail} ${key}: ${mismatch}`);
}

function noteDisplacement({ log, raise }: HooksParts, displaced: Displacement, by: number): void {
  const { merchantId: merchant, transactionId, held } = displaced;
  log('deposit_displaced', { merchant, transaction: String(transactionId), by: String(by), held: held.length });
  for (const { rail, transferKey } of held)
    raise('transfer_held', `${rail} ${maskedIdentifier(transferKey)}: displaced`);
}

function noteEnd({ log, metrics }: HooksParts, key: DepositKey, { state, failReason }: DepositChange): void {
  const reason = failReason ?? '';
  metrics.depositFinal(state, reason);
  log('deposit_final', { merchant: key.merchantId, transaction: String(key.transactionId), state, reason });
}

export interface DepositHooks {
  readonly onDepositOpened: (deposit: Deposit, displaced: Displacement | null) => void;
  readonly onDepositEnded: (key: DepositKey, outcome: DepositSettlementOutcome) => void;
  readonly onDepositRejected: (merchantId: string, rejection: Pick<DepositRejection | FormRejection, 'kind'>) => void;
  readonly onAttemptChanged: (key: AttemptKey, outcome: AttemptOutcome) => void;
  readonly onTransferReceived: (
    transfer: IncomingTransfer,
    outcome: ReceiptOutcome,
    deposit: DepositKey | undefined,
  ) => void;
  readonly onLater: RecordAdjustmentParts['onLater'];
  readonly onReconciled: (report: TransferReconciliation) => void;
  readonly onAddressFill: (rail: string, used: number, capacity: number, isLow: boolean) => void;
}

export function depositHooks(parts: HooksParts): DepositHooks {
  const { log, metrics, raise } = parts;
  return {
    onDepositOpened({ merchantId, transactionId, paymentType, money: { currency } }, displaced) {
      metrics.depositOpened(paymentType, currency);
      log('deposit_opened', { merchant: merchantId, transaction: String(transactionId), payment_type: paymentType });
      if (displaced) noteDisplacement(parts, displaced, transactionId);
    },
    onDepositEnded(key, outcome) {
      if (outcome.kind === 'settled' && outcome.plan.change) noteEnd(parts, key, outcome.plan.change);
    },
    onDepositRejected(merchantId, rejection) {
      metrics.depositRejected(rejection.kind);
      log('deposit_rejected', { merchant: merchantId, reason: rejection.kind });
    },
    onTransferReceived(transfer, outcome, deposit) {
      const merchant = deposit?.merchantId ?? OPERATOR_MERCHANT;
      if (outcome.kind === 'recorded') noteReceipt(parts, transfer, merchant, outcome.plan);
    },
    onAttemptChanged(key, outcome) {
      if (outcome.kind !== 'settled') return;
      const { merchantId, transactionId, attempt } = key;
      const { change, receipt, end } = outcome.plan;
      const transaction = String(transactionId);
      log('attempt_changed', { merchant: merchantId, transaction, attempt, state: change.state });
      if (receipt) noteReceipt(parts, receipt.transfer, merchantId, receipt.plan);
      if (end?.change) noteEnd(parts, key, end.change);
    },
    onLater({ merchantId, transactionId, orderId, rail, kind, key }, outcome) {
      metrics.depositAdjusted(kind, rail, outcome);
      const transaction = String(transactionId);
      log('deposit_adjusted', { merchant: merchantId, transaction, rail, adjustment: kind, outcome });
      if (outcome === 'excess')
        raise('deposit_excess', `${merchantId} ${orderId}: ${kind} ${key}, reported by ${rail}`);
    },
    onReconciled({ rail, day, listed, found, differing }) {
      log('transfers_reconciled', { rail, day, listed, found, differing });
      if (found > 0) raise('transfers_found', `${rail} ${day}: ${found} of ${listed}`);
      if (differing > 0) raise('transfers_differ', `${rail} ${day}: ${differing} of ${listed}`);
    },
    onAddressFill(rail, used, capacity, isLow) {
      metrics.addressesUsed(rail, used, capacity);
      if (isLow) raise('addresses_low', `${rail}: ${used} of ${capacity}`);
    },
  };
}
