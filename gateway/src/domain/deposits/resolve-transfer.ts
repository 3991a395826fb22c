/**
 * Credits held money, on the operator's decision, to its own deposit or to another. Debt, fee and callback are the same as for
 * a credit on arrival. If the provider has reversed a part since, only the rest is credited, or nothing.
 */

import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type ActWords, type WordsRejection, wordsFault } from '../audit/act-words.ts';
import { creditDeposit, creditHeld, giveUpHeld } from '../ledger/journals.ts';
import { depositFee } from '../merchants/fees.ts';
import { type MerchantDirectory, merchantOf } from '../merchants/merchant-directory.ts';
import type { Deposit, DepositKey, RecordedTransfer, TransferId, TransferState } from './deposit.ts';
import type { DepositComposer } from './deposit-callbacks.ts';
import type { DepositStore } from './deposit-store.ts';
import { mismatchOf } from './deposit-transitions.ts';
import { planCredit } from './plan-receipt.ts';

export type HeldRejection =
  | { readonly kind: 'transfer_not_found' }
  | { readonly kind: 'not_held'; readonly state: TransferState }
  | WordsRejection;

export type ResolutionRejection =
  | HeldRejection
  /** The transfer has no deposit, so the operator must name one. */
  | { readonly kind: 'deposit_missing' }
  | { readonly kind: 'deposit_not_found' }
  | { readonly kind: 'currency_differs' };

export interface ResolutionOrder extends TransferId, ActWords {
  /** The deposit to credit. If null, the gateway credits the transfer's own deposit. */
  readonly to: { readonly merchantId: MerchantId; readonly orderId: string } | null;
}

interface ResolveTransferParts {
  readonly store: Pick<DepositStore, 'findTransfer' | 'findByOrder' | 'find' | 'resolve'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: DepositComposer;
  readonly clock: Clock;
}

type Words = Required<ActWords>;

/** Resolves to the deposit after the credit. */
export async function resolveTransfer(
  parts: ResolveTransferParts,
  { to: named, reason, by = 'operator', ...id }: ResolutionOrder,
): Promise<Result<Deposit, ResolutionRejection>> {
  const held = await findHeld(parts.store, id, { reason, by });
  if (!held.ok) return held;
  const to = await findDeposit(parts.store, held.value, named);
  if (!to.ok) return to;
  return credit(parts, held.value, to.value, { reason, by });
}

/** Returns the transfer if the operator may decide on it. The commit checks again that it is still held. */
export async function findHeld(
  store: Pick<DepositStore, 'findTransfer'>,
  id: TransferId,
  words: Words,
): Promise<Result<RecordedTransfer, HeldRejection>> {
  const fault = wordsFault(words);
  if (fault) return fail(fault);
  const transfer = await store.findTransfer(id);
  if (!transfer) return fail({ kind: 'transfer_not_found' });
  return transfer.state === 'held' ? ok(transfer) : fail({ kind: 'not_held', state: transfer.state });
}

async function findDeposit(
  store: ResolveTransferParts['store'],
  { merchantId, transactionId, money }: RecordedTransfer,
  to: ResolutionOrder['to'],
): Promise<Result<DepositKey, ResolutionRejection>> {
  if (!to && transactionId === null) return fail({ kind: 'deposit_missing' });
  const key = to
    ? await store.findByOrder(to.merchantId, to.orderId)
    : { merchantId, transactionId: Number(transactionId) };
  const deposit = key && (await store.find(key));
  if (!deposit) return fail({ kind: 'deposit_not_found' });
  return deposit.money.currency === money.currency ? ok(deposit) : fail({ kind: 'currency_differs' });
}

async function credit(
  { store, merchants, compose, clock }: ResolveTransferParts,
  transfer: RecordedTransfer,
  to: DepositKey,
  { reason, by }: Words,
): Promise<Result<Deposit, ResolutionRejection>> {
  const merchant = await merchantOf(merchants, to.merchantId);
  const at = clock.now();
  const outcome = await store.resolve({
    transfer,
    to,
    resolution: reason,
    at,
    plan({ deposit, balances, held }) {
      const fee = depositFee(merchant, deposit.paymentType, held.money);
      const journals =
        transfer.merchantId === to.merchantId
          ? [creditHeld(to.merchantId, held, fee, balances)]
          : [giveUpHeld(transfer.merchantId, held), creditDeposit(to.merchantId, held, fee, balances)];
      const note = { at, event: 'resolved', actor: by, detail: `${transfer.transferKey}: ${reason}` };
      const mismatch = mismatchOf(deposit, held, 'operator');
      return planCredit({ deposit, merchant, transfer: held, mismatch, fee, journals, note }, compose);
    },
  });
  if (outcome.kind !== 'resolved') return fail(outcome);
  const deposit = await store.find(to);
  invariant(deposit, 'deposit not found after it was credited');
  return ok(deposit);
}
