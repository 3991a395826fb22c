/**
 * Receives incoming money: commits the effect that plan-receipt.ts decides. An unmatched transfer, or an unknown returned
 * order, is held for the operator (process-transfer.ts). No transfer is dropped, and a duplicate counts once.
 */

import type { Clock } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { Secret } from '../../foundation/secret.ts';
import { OPERATOR_MERCHANT } from '../merchants/merchant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import { holdsCardNumber, withoutCardNumbers } from '../vault/card-number.ts';
import { maskCard, type Vault } from '../vault/vault.ts';
import type { DepositKey, FoundBy, IncomingTransfer } from './deposit.ts';
import type { DepositComposer } from './deposit-callbacks.ts';
import type { DepositStore, ReceiptOutcome } from './deposit-store.ts';
import { planReceipt, planUnmatched } from './plan-receipt.ts';

interface ReceiveTransferParts {
  readonly store: Pick<DepositStore, 'receive' | 'findByAddress'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: DepositComposer;
  readonly vault: Pick<Vault, 'sealFields'>;
  readonly clock: Clock;
  /** `deposit` is the deposit at the transfer's address. */
  readonly onReceived: (transfer: IncomingTransfer, outcome: ReceiptOutcome, deposit: DepositKey | undefined) => void;
}

/**
 * - `match`: it belongs to the deposit at its address, if there is one.
 * - `hold`: held for the operator, whatever its address.
 * - `sent_back`: the response to the bank rejects it, so the gateway only records it.
 */
export type Disposition = 'match' | 'hold' | 'sent_back';

/** Resolves once the transfer is durably recorded. */
export async function receiveTransfer(
  parts: ReceiveTransferParts,
  reported: IncomingTransfer,
  foundBy: FoundBy,
  disposition: Disposition = 'match',
): Promise<ReceiptOutcome> {
  const { transfer, card } = withoutCard(reported);
  const canMatch = disposition === 'match' && transfer.returnOf === undefined;
  const key = canMatch ? await parts.store.findByAddress(transfer.payTo) : undefined;
  const found = key && (await parts.merchants.find(key.merchantId));
  invariant(!key || found, 'the merchant of a deposit does not exist');
  const recordedAt = parts.clock.now();
  const merchantId = key?.merchantId ?? OPERATOR_MERCHANT;
  const outcome = await parts.store.receive({
    merchantId,
    card: card && parts.vault.sealFields(merchantId, recordedAt, { account: card }),
    transactionId: key?.transactionId ?? null,
    transfer,
    foundBy,
    recordedAt,
    plan: (facts) =>
      facts.deposit && found
        ? planReceipt({ ...facts, deposit: facts.deposit }, transfer, {
            merchant: found.merchant,
            compose: parts.compose,
            at: recordedAt,
          })
        : planUnmatched(transfer, disposition === 'sent_back'),
  });
  parts.onReceived(transfer, outcome, key);
  return outcome;
}

/**
 * Banks report the card that a transfer came from, and payers write card numbers into the payment concept. The gateway stores
 * neither in the clear.
 */
function withoutCard(reported: IncomingTransfer): {
  readonly transfer: IncomingTransfer;
  readonly card: Secret | null;
} {
  const { account, name, concept } = reported.originator;
  const card = holdsCardNumber(account) ? new Secret(account) : null;
  const originator = {
    ...reported.originator,
    account: card ? maskCard(card) : account,
    name: withoutCardNumbers(name),
    concept: withoutCardNumbers(concept),
  };
  return { transfer: { ...reported, originator }, card };
}
