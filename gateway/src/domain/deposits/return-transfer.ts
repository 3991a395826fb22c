/**
 * Returns held money to its originator through the rail of the transfer, on the operator's decision. A return is a payout from
 * suspense. The gateway sends it once, and queries the bank if it does not respond. After a decline, the money is held again.
 */

import type { Clock, Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { formatAmount } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { ActWords } from '../audit/act-words.ts';
import { reservePayout } from '../ledger/journals.ts';
import { type Payout, postingOf } from '../payouts/payout.ts';
import type { PayoutRail } from '../payouts/payout-rail.ts';
import { sealOf } from '../payouts/payout-seal.ts';
import { VAULT_RETENTION_MS } from '../vault/destroy-expired-records.ts';
import type { Vault, VaultRecord } from '../vault/vault.ts';
import type { VaultStore } from '../vault/vault-store.ts';
import type { RecordedTransfer, TransferId } from './deposit.ts';
import type { DepositStore } from './deposit-store.ts';
import { findHeld, type HeldRejection } from './resolve-transfer.ts';

export type ReturnRejection =
  | HeldRejection
  /** The transfer's rail is not configured, or does not support returns. */
  | { readonly kind: 'rail_returns_nothing' }
  /** The bank named no account to which the money could be returned, or the card was destroyed since. */
  | { readonly kind: 'originator_unknown' };

export type ReturnOrder = TransferId & ActWords;

interface ReturnTransferParts {
  readonly store: Pick<DepositStore, 'findTransfer' | 'returnTransfer'>;
  readonly nextTransactionId: () => Promise<number>;
  readonly rails: readonly Pick<PayoutRail, 'name' | 'ownPurposes'>[];
  readonly vault: Pick<Vault, 'sealFields' | 'openFields' | 'fingerprint'>;
  readonly cards: Pick<VaultStore, 'find'>;
  readonly clock: Clock;
}

/** Resolves to the payout that returns the money. */
export async function returnTransfer(
  parts: ReturnTransferParts,
  { reason, by = 'operator', ...id }: ReturnOrder,
): Promise<Result<PayoutKey, ReturnRejection>> {
  const held = await findHeld(parts.store, id, { reason, by });
  if (!held.ok) return held;
  const transfer = held.value;
  const rail = parts.rails.find(({ name, ownPurposes }) => name === transfer.rail && ownPurposes?.has('return'));
  if (!rail) return fail({ kind: 'rail_returns_nothing' });
  const at = parts.clock.now();
  const card = await sealedCard(parts, transfer, at);
  if (transfer.originator.account === '' || card === undefined) return fail({ kind: 'originator_unknown' });
  const transactionId = await parts.nextTransactionId();
  const outcome = await parts.store.returnTransfer({
    transfer,
    plan(facts) {
      const payout = returnOf(facts, transactionId, at, card?.token ?? null);
      return {
        payout,
        vaultRecord: card,
        seal: sealOf(parts.vault, payout),
        journal: reservePayout(postingOf(payout)),
        by,
        why: [['rail_of_transfer']],
      };
    },
    destroyCardAt: at + VAULT_RETENTION_MS,
    resolution: reason,
    note: { at, event: 'return_requested', actor: by, detail: `${transfer.transferKey}: ${reason}` },
  });
  return outcome.kind === 'accepted' ? ok(outcome.payout) : fail(outcome);
}

/** Seals the originator's card for the payout. Null if the account is not a card, undefined if it was destroyed. */
async function sealedCard(
  { vault, cards }: ReturnTransferParts,
  { merchantId, originator: { cardToken } }: RecordedTransfer,
  at: Instant,
): Promise<VaultRecord | null | undefined> {
  if (cardToken === undefined) return null;
  const kept = await cards.find(merchantId, cardToken);
  return kept && vault.sealFields(merchantId, at, vault.openFields(kept));
}

/**
 * The id contains the transfer and the number of the return. A return that is ordered again after a restore therefore gets the
 * same id, and so the reference that its bank knows. No merchant's payout_id contains a colon, so the two never collide.
 */
function returnOf(
  transfer: RecordedTransfer,
  transactionId: number,
  acceptedAt: Instant,
  vaultToken: string | null,
): Payout {
  const { originator, money } = transfer;
  return {
    merchantId: transfer.merchantId,
    payoutId: `${idsBeginWith(transfer)}${returnsOf(transfer) + 1}`,
    transactionId,
    purpose: 'return',
    method: null,
    money,
    amountText: formatAmount(money),
    fee: 0n,
    rail: transfer.rail,
    beneficiary: {
      accountShown: originator.account,
      fields: {
        full_name: originator.name,
        institution: originator.institution,
        paid_to: transfer.payTo,
        concept: `Return ${originator.trackingKey}`,
      },
      vaultToken,
    },
    contentHash: Buffer.alloc(0),
    state: 'pending',
    blockedReason: null,
    acceptedAt,
    finishedAt: null,
  };
}

function idsBeginWith({ transferKey }: RecordedTransfer): string {
  return `return:${transferKey}:`;
}

/** Returns the number of returns that the bank declined. Earlier versions used ids without transfer or number. */
function returnsOf(transfer: RecordedTransfer): number {
  const latest = transfer.returnId ?? '';
  return latest.startsWith(idsBeginWith(transfer)) ? Number(latest.slice(idsBeginWith(transfer).length)) : 0;
}
