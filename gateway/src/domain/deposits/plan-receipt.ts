/**
 * The only gate of a deposit's state when money arrives. A transfer that matches its deposit exactly makes it succeed.
 * Depending on the merchant's policy, a mismatch is held in suspense or credited, with its reason. Pure.
 */
import type { Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { creditDeposit, holdTransfer } from '../ledger/journals.ts';
import type { Journal } from '../ledger/transfer.ts';
import { depositFee } from '../merchants/fees.ts';
import { type Merchant, OPERATOR_MERCHANT } from '../merchants/merchant.ts';
import type { Deposit, IncomingTransfer, Mismatch } from './deposit.ts';
import { type DepositComposer, depositCallback, depositEvent } from './deposit-callbacks.ts';
import type { DepositFacts, DepositNote, ReceiptPlan } from './deposit-store.ts';
import { ADMISSIONS, mismatchOf, stateAfter } from './deposit-transitions.ts';

export function planUnmatched(transfer: IncomingTransfer, isSentBack: boolean): ReceiptPlan {
  return {
    transfer: { state: isSentBack ? 'sent_back' : 'held', mismatch: 'unmatched' },
    change: null,
    journals: isSentBack ? [] : [holdTransfer(OPERATOR_MERCHANT, transfer)],
    history: null,
    callbacks: [],
  };
}

export interface DepositPlanningParts {
  readonly merchant: Merchant;
  readonly compose: DepositComposer;
  readonly at: Instant;
}

/** Returns the effect of a transfer on the deposit that has its address. */
export function planReceipt(
  { deposit, balances }: DepositFacts & { readonly deposit: Deposit },
  transfer: IncomingTransfer,
  { merchant, compose, at }: DepositPlanningParts,
): ReceiptPlan {
  const mismatch = mismatchOf(deposit, transfer, 'rail');
  const detail = mismatch === null ? transfer.transferKey : `${mismatch}: ${transfer.transferKey}`;
  const note = { at, event: 'received', actor: transfer.rail, detail };
  if (mayCredit(mismatch, transfer, merchant)) {
    const fee = depositFee(merchant, deposit.paymentType, transfer.money);
    const journals = [creditDeposit(deposit.merchantId, transfer, fee, balances)];
    return planCredit({ deposit, merchant, transfer, mismatch, fee, journals, note }, compose);
  }
  const journals = [holdTransfer(deposit.merchantId, transfer)];
  const history = { ...note, fromState: deposit.state, toState: stateAfter(deposit, 'held') };
  return { transfer: { state: 'held', mismatch }, change: null, journals, history, callbacks: [] };
}

/** Money that becomes the merchant's, with its journals. */
export interface Credit {
  readonly deposit: Deposit;
  readonly merchant: Merchant;
  readonly transfer: IncomingTransfer;
  readonly mismatch: Mismatch | null;
  /** The fee in minor units. */
  readonly fee: bigint;
  readonly journals: readonly Journal[];
  readonly note: DepositNote;
}

/**
 * Plans a credit to a deposit. An open deposit succeeds. A final deposit keeps its state: the money is credited with an event.
 */
export function planCredit(credit: Credit, compose: DepositComposer): ReceiptPlan {
  const { deposit, merchant, transfer, mismatch, fee, journals, note } = credit;
  const { at } = note;
  const state = stateAfter(deposit, 'credited');
  const history = { ...note, fromState: deposit.state, toState: state };
  const written = { transfer: { state: 'credited', mismatch }, journals, history } as const;
  if (state === deposit.state) {
    invariant(mismatch !== null, 'receipt for a closed deposit has no mismatch');
    const callbacks = [depositEvent(deposit, merchant, transfer, compose.event(deposit, transfer, mismatch), at)];
    return { ...written, change: null, callbacks };
  }
  const change = { state, failReason: null, received: transfer.money.minor, fee, finishedAt: at };
  const callbacks = [depositCallback(deposit, compose.deposit({ ...deposit, ...change }), at)];
  return { ...written, change, callbacks };
}

/** Money from another payer is not credited unless the merchant allows it, even if all else matches. */
function mayCredit(mismatch: Mismatch | null, { isFromAnother = false }: IncomingTransfer, { settings }: Merchant) {
  const admission = ADMISSIONS[mismatch ?? 'none'];
  if (admission === 'hold' || (isFromAnother && settings.other_payer_policy === 'hold')) return false;
  return admission === 'credit' || settings.mismatch_policy === 'credit';
}
