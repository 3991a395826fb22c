/** Translates domain refusals for the command line: each kind maps to one sentence that names the option. */
import type { ResendFailure } from '../domain/callbacks/resend-callback.ts';
import type { DepositState, TransferState } from '../domain/deposits/deposit.ts';
import type { HeldRefusal, ResolutionRefusal } from '../domain/deposits/resolve-transfer.ts';
import type { ReturnRefusal } from '../domain/deposits/return-transfer.ts';
import type { ResolveDifferenceFailure } from '../domain/differences/resolve-difference.ts';
import type { FundingFailure } from '../domain/ledger/fund-merchant.ts';
import type { MerchantField, MerchantRefusal } from '../domain/merchants/merchant-refusal.ts';
import type { WordsRefusal } from '../domain/operators/operator-words.ts';
import type { RefundRefusal } from '../domain/payments/adjustment-store.ts';
import type { EndAttemptsRefusal } from '../domain/payments/end-attempts.ts';
import type { ApproveFailure } from '../domain/payouts/approve-payout.ts';
import type { CancelFailure } from '../domain/payouts/cancel-payout.ts';
import type { ResolvePayoutFailure } from '../domain/payouts/resolve-payout.ts';
import type { BeginRecoveryFailure } from '../domain/recovery/begin-recovery.ts';
import type { CompletionFailure } from '../domain/recovery/complete-recovery.ts';
import type { ReleaseFailure } from '../domain/recovery/release-payout.ts';
import type { RouteRefusal } from '../domain/routing/lay-routes.ts';
import type { MerchantId } from '../foundation/identifiers.ts';
import { unreachable } from '../foundation/invariant.ts';
import { formatAmount, type Money } from '../foundation/money.ts';
import type { Result } from '../foundation/result.ts';
import { CommandFailure } from './command-output.ts';

const OPTIONS: Readonly<Record<MerchantField, string>> = {
  id: '--id',
  name: '--name',
  key: '--key',
  formKey: '--form-key',
  siteUrl: '--site-url',
  processUrl: '--process-url',
  successUrl: '--success-url',
  failUrl: '--fail-url',
  payoutCallbackUrl: '--payout-callback-url',
  eventUrl: '--event-url',
  overlapHours: '--overlap-hours',
};

export function valueOrRefuse<Value>(result: Result<Value, MerchantRefusal>, merchantId: MerchantId): Value {
  if (result.ok) return result.value;
  throw merchantFailure(result.error, merchantId);
}

export function merchantNotFound(merchantId: MerchantId): CommandFailure {
  return new CommandFailure(`There is no merchant "${merchantId}"`);
}

function merchantReserved(merchantId: MerchantId): CommandFailure {
  return new CommandFailure(`"${merchantId}" is the built-in merchant for unmatched money. Name another merchant.`);
}

function merchantFailure(refusal: MerchantRefusal, merchantId: MerchantId): CommandFailure {
  switch (refusal.kind) {
    case 'invalid':
      return new CommandFailure(`${OPTIONS[refusal.field]} ${refusal.reason}`);
    case 'invalid_setting':
      return new CommandFailure(`--set: ${refusal.reason}`);
    case 'changed_meanwhile':
      return new CommandFailure('Somebody changed the merchant meanwhile: read it again');
    case 'merchant_exists':
      return new CommandFailure(`--id: merchant "${merchantId}" already exists`);
    case 'merchant_not_found':
      return merchantNotFound(merchantId);
    case 'merchant_reserved':
      return merchantReserved(merchantId);
    case 'process_url_missing':
      return new CommandFailure(
        `An active merchant needs a process URL: gateway merchant edit ${merchantId} --process-url URL`,
      );
    default:
      return unreachable(refusal);
  }
}

export function fundingFailure(failure: FundingFailure, merchantId: MerchantId, reference: string): CommandFailure {
  switch (failure.kind) {
    case 'merchant_not_found':
      return merchantNotFound(merchantId);
    case 'merchant_reserved':
      return merchantReserved(merchantId);
    case 'invalid_reference':
      return new CommandFailure('--reference must be 1 to 64 of A–Z, a–z, 0–9, ".", "_" and "-"');
    case 'words_refused':
      return wordsFailure(failure);
    case 'reference_already_used':
      return new CommandFailure(
        `--reference "${reference}" was already used for another amount, currency or direction. Choose a new one.`,
      );
    case 'insufficient_funds':
      return new CommandFailure(`Only ${formatAmount(failure.available)} ${failure.available.currency} are available`);
    default:
      return unreachable(failure);
  }
}

function wordsFailure({ word, reason }: WordsRefusal): CommandFailure {
  return new CommandFailure(`--${word} ${reason}`);
}

const CANCEL_FAILURES: Readonly<Record<Exclude<CancelFailure, WordsRefusal>, string>> = {
  payout_not_found: 'There is no such payout',
  already_final: 'The payout is already final',
  bank_was_told: 'The gateway has sent the payout to a bank, so it cannot be cancelled',
  recovering:
    'The gateway is recovering from a restore, and a bank may have paid the payout. Cancel it after "gateway after-restore complete".',
};

const APPROVE_FAILURES: Readonly<Record<Exclude<ApproveFailure, WordsRefusal>, string>> = {
  payout_not_found: 'The merchant has no payout with this id',
  already_final: 'The payout is already final',
  not_waiting: 'The payout does not wait for an approval',
  too_late: 'The deadline of its approval has passed: the gateway blocks it and releases its money',
};

export function approveFailure(failure: ApproveFailure): CommandFailure {
  return typeof failure === 'string' ? new CommandFailure(APPROVE_FAILURES[failure]) : wordsFailure(failure);
}

export function cancelFailure(failure: CancelFailure): CommandFailure {
  return typeof failure === 'string' ? new CommandFailure(CANCEL_FAILURES[failure]) : wordsFailure(failure);
}

const TRANSFER_STATES: Readonly<Record<TransferState, string>> = {
  held: 'held',
  credited: 'credited to its merchant',
  returning: 'being returned to its originator',
  returned: 'returned to its originator',
  given_up: 'credited to another merchant in the meantime; run "gateway deposit held" again',
  sent_back: 'sent back by its bank, and never became ours',
  taken_back: 'back with its payer: the provider took it back (chargeback, refund or debit)',
};

export function resolutionFailure(refusal: ResolutionRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'deposit_missing':
      return new CommandFailure('No deposit matches this transfer. Name its deposit with --merchant and --order.');
    case 'deposit_not_found':
      return new CommandFailure('--order: that merchant has no deposit with this order');
    case 'currency_differs':
      return new CommandFailure('The deposit and the transfer have different currencies');
    default:
      return heldFailure(refusal);
  }
}

export function returnFailure(refusal: ReturnRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'rail_returns_nothing':
      return new CommandFailure(
        'The transfer’s rail cannot return money, or is not configured for this command. Run the command with the variables of the gateway, such as STP_URL.',
      );
    case 'originator_unknown':
      return new CommandFailure('The transfer’s bank named no originator account, so the gateway cannot return it');
    default:
      return heldFailure(refusal);
  }
}

function heldFailure(refusal: HeldRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'transfer_not_found':
      return new CommandFailure('TRANSFER: no such transfer exists. "gateway deposit held" lists the held ones.');
    case 'not_held':
      return new CommandFailure(`The transfer is not held: it is ${TRANSFER_STATES[refusal.state]}`);
    case 'words_refused':
      return wordsFailure(refusal);
    default:
      return unreachable(refusal);
  }
}

const NOT_PAID: Readonly<Record<DepositState, string>> = {
  created: 'has not been paid yet',
  pending: 'has not been paid yet',
  success: 'has been paid',
  fail: 'failed, and nothing was credited',
};

export function endAttemptsFailure(refusal: EndAttemptsRefusal): CommandFailure {
  return refusal.kind === 'words_refused'
    ? wordsFailure(refusal)
    : new CommandFailure(END_ATTEMPTS_TEXTS[refusal.kind]);
}

const END_ATTEMPTS_TEXTS: Readonly<Record<Exclude<EndAttemptsRefusal, WordsRefusal>['kind'], string>> = {
  deposit_not_found: 'TRANSACTION: the merchant has no such deposit. "gateway deposit show" prints its number.',
  just_begun: 'The attempt has just begun, and its call to the provider may be in flight. Try again in a minute.',
  nothing_in_flight: 'The deposit has no payment attempt in flight',
};

export function refundFailure(refusal: RefundRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'words_refused':
      return wordsFailure(refusal);
    case 'deposit_not_found':
      return new CommandFailure(
        'TRANSACTION: the merchant has no such deposit. "gateway deposit show" prints its number.',
      );
    case 'not_paid':
      return new CommandFailure(`The deposit ${NOT_PAID[refusal.state]}`);
    case 'displaced':
      return new CommandFailure(
        'Another request took over the order of this deposit, and its money is held. Credit the money with "gateway deposit resolve", then refund that deposit.',
      );
    case 'rail_refunds_nothing':
      return new CommandFailure(
        `The rail ${refusal.rail} of the payment makes no refunds, or is not configured for this command. Run the command with the variables of the gateway.`,
      );
    case 'invalid_amount':
      return new CommandFailure('--amount must be above zero, such as 100 or 12.50');
    case 'nothing_left':
      return new CommandFailure('The payment is already refunded in full, or its refunds are pending');
    case 'moved':
      return new CommandFailure(
        `The money was credited to ${refusal.merchantId} for the order ${refusal.orderId}. Refund that deposit.`,
      );
    case 'more_than_left':
      return new CommandFailure(`--amount: only ${textOf(refusal.left)} can still be refunded`);
    case 'insufficient_funds':
      return new CommandFailure(
        refusal.owed.minor > 0n
          ? `The merchant owes ${textOf(refusal.owed)}, and can pay out nothing before that is settled`
          : `The merchant has only ${textOf(refusal.available)} available`,
      );
    default:
      return unreachable(refusal);
  }
}

function textOf(money: Money): string {
  return `${formatAmount(money)} ${money.currency}`;
}

const RESEND_FAILURES: Readonly<Record<ResendFailure, string>> = {
  merchant_not_found: 'There is no such merchant',
  callback_not_found: 'There is no such callback',
  not_wanted: 'The merchant turned these callbacks off (setting payout_callback)',
};

export function resendFailure(failure: ResendFailure): CommandFailure {
  return new CommandFailure(RESEND_FAILURES[failure]);
}

export function routeFailure(refusal: RouteRefusal, rail: string): CommandFailure {
  switch (refusal.kind) {
    case 'no_such_rail':
      return new CommandFailure(`There is no rail "${rail}". Rails: ${refusal.rails.join(', ')}.`);
    case 'method_not_carried':
      return new CommandFailure(`${rail} does not carry that method. It carries ${refusal.methods.join(', ')}.`);
    case 'merchant_not_found':
      return new CommandFailure('--merchant: there is no such merchant');
    case 'limits_crossed':
      return new CommandFailure('--min is above --max');
    case 'no_such_route':
      return new CommandFailure('There is no such route. "gateway route list" lists the routes.');
    case 'changed_meanwhile':
      return new CommandFailure('Somebody changed the routes meanwhile: read them again');
    default:
      return unreachable(refusal);
  }
}

const RESOLVE_FAILURES: Readonly<Record<Exclude<ResolvePayoutFailure, WordsRefusal>, string>> = {
  payout_not_found: 'There is no such payout',
  bank_not_told:
    'The gateway never sent the payout to that bank ("gateway payout show" lists its attempts). An unsent payout can be cancelled.',
  nothing_changes: 'The payout already has this outcome: see "gateway payout show"',
};

export function resolveFailure(failure: ResolvePayoutFailure): CommandFailure {
  return typeof failure === 'string' ? new CommandFailure(RESOLVE_FAILURES[failure]) : wordsFailure(failure);
}

export function differenceNotFound(): CommandFailure {
  return new CommandFailure('There is no such difference. "gateway difference list --all" lists them.');
}

export function differenceFailure(failure: ResolveDifferenceFailure): CommandFailure {
  return failure === 'no_open_difference'
    ? new CommandFailure('There is no such open difference. "gateway difference list" lists them.')
    : wordsFailure(failure);
}

type RecoveryFailure = BeginRecoveryFailure | CompletionFailure | ReleaseFailure;

const RECOVERY_TEXTS: {
  readonly [Kind in RecoveryFailure['kind']]: (failure: Extract<RecoveryFailure, { kind: Kind }>) => string;
} = {
  words_refused: ({ word, reason }) => `--${word} ${reason}`,
  database_replays: () => 'PostgreSQL is still replaying its log. Promote it, then run this command again.',
  known_until_in_future: () => '--known-until is in the future',
  not_recovering: () => 'The gateway is not recovering',
  no_such_rail: ({ rails }) => `There is no such rail. Rails: ${rails.join(', ')}.`,
  criteria_not_met: ({ progress }) =>
    [
      'The recovery is not completed. Wait, or pass --force with a reason:',
      ...progress.map(({ rail, missing }) => `- ${rail}: ${missing.join('; ')}`),
    ].join('\n'),
  nothing_to_release: () => 'No such unsent payout exists',
};

export function recoveryFailure<Kind extends RecoveryFailure['kind']>(
  failure: Extract<RecoveryFailure, { kind: Kind }>,
): CommandFailure {
  return new CommandFailure(RECOVERY_TEXTS[failure.kind as Kind](failure));
}
