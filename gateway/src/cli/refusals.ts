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
  return new CommandFailure(
    `"${merchantId}" is no shop: it holds the money that fits no merchant, and can do nothing else`,
  );
}

function merchantFailure(refusal: MerchantRefusal, merchantId: MerchantId): CommandFailure {
  switch (refusal.kind) {
    case 'invalid':
      return new CommandFailure(`${OPTIONS[refusal.field]} ${refusal.reason}`);
    case 'invalid_setting':
      return new CommandFailure(`--set: ${refusal.reason}`);
    case 'merchant_exists':
      return new CommandFailure(`--id: merchant "${merchantId}" exists already`);
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
      return new CommandFailure(`--reference "${reference}" was used before for another amount, currency or direction`);
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
  already_final: 'The payout is final already, and nothing leaves a final state',
  bank_was_told: 'A bank was told of the payout already, so it can no longer be cancelled',
  recovering:
    'The gateway is recovering from a restore, and a bank may have paid the payout: cancel it after "gateway after-restore complete"',
};

export function cancelFailure(failure: CancelFailure): CommandFailure {
  return typeof failure === 'string' ? new CommandFailure(CANCEL_FAILURES[failure]) : wordsFailure(failure);
}

const TRANSFER_STATES: Readonly<Record<TransferState, string>> = {
  held: 'held',
  credited: 'credited to its merchant',
  returning: 'on its way back to its originator',
  returned: 'back with its originator',
  given_up: 'another merchant’s by now; look at it again',
  sent_back: 'sent back by its bank, and was never ours',
  taken_back: 'back with its payer: the provider took all of it back (chargeback, refund or debit)',
};

export function resolutionFailure(refusal: ResolutionRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'deposit_missing':
      return new CommandFailure('It came for no deposit: say for which it was meant, by --merchant and --order');
    case 'deposit_not_found':
      return new CommandFailure('--order: there is no such deposit of that --merchant');
    case 'currency_differs':
      return new CommandFailure('The deposit is in another currency than the money');
    default:
      return heldFailure(refusal);
  }
}

export function returnFailure(refusal: ReturnRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'rail_returns_nothing':
      return new CommandFailure(
        'The rail that it came by is not configured for this command, or carries nothing back: give the command the variables that the gateway has, such as STP_URL',
      );
    case 'originator_unknown':
      return new CommandFailure('Its bank named no account to send it back to');
    default:
      return heldFailure(refusal);
  }
}

function heldFailure(refusal: HeldRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'transfer_not_found':
      return new CommandFailure('TRANSFER: there is no such transfer; "gateway deposit held" lists those that wait');
    case 'not_held':
      return new CommandFailure(`The money is not held: it is ${TRANSFER_STATES[refusal.state]}`);
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
  fail: 'failed, and no money of it was credited',
};

export function endAttemptsFailure(refusal: EndAttemptsRefusal): CommandFailure {
  return refusal.kind === 'words_refused'
    ? wordsFailure(refusal)
    : new CommandFailure(END_ATTEMPTS_TEXTS[refusal.kind]);
}

const END_ATTEMPTS_TEXTS: Readonly<Record<Exclude<EndAttemptsRefusal, WordsRefusal>['kind'], string>> = {
  deposit_not_found: 'TRANSACTION: the merchant has no such deposit; "gateway deposit show" prints its number',
  just_begun: 'The payment has just begun, and its provider may be told of it this moment: try again in a minute',
  nothing_under_way: 'No try to pay it is under way',
};

export function refundFailure(refusal: RefundRefusal): CommandFailure {
  switch (refusal.kind) {
    case 'words_refused':
      return wordsFailure(refusal);
    case 'deposit_not_found':
      return new CommandFailure(
        'TRANSACTION: the merchant has no such deposit; "gateway deposit show" prints its number',
      );
    case 'not_paid':
      return new CommandFailure(`The deposit ${NOT_PAID[refusal.state]}`);
    case 'displaced':
      return new CommandFailure(
        'Its order went to another deposit, and its money is held: credit it with "gateway deposit resolve", then refund it',
      );
    case 'rail_refunds_nothing':
      return new CommandFailure(
        `It was paid by ${refusal.rail}, which gives nothing back or is not configured for this command: give the command the variables that the gateway has`,
      );
    case 'invalid_amount':
      return new CommandFailure('--amount must be above zero, such as 100 or 12.50');
    case 'nothing_left':
      return new CommandFailure('All of it is back with the payer already, or on its way there');
    case 'moved':
      return new CommandFailure(
        `Its money was credited to ${refusal.merchantId} for the order ${refusal.orderId}: refund that deposit`,
      );
    case 'more_than_left':
      return new CommandFailure(`--amount: only ${textOf(refusal.left)} of it can still go back`);
    case 'insufficient_funds':
      return new CommandFailure(
        refusal.owed.minor > 0n
          ? `The merchant owes ${textOf(refusal.owed)}, and pays nothing out before that is paid`
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
  not_wanted: 'The merchant has turned these callbacks off (setting payout_callback), so it is not sent',
};

export function resendFailure(failure: ResendFailure): CommandFailure {
  return new CommandFailure(RESEND_FAILURES[failure]);
}

export function routeFailure(refusal: RouteRefusal, rail: string): CommandFailure {
  switch (refusal.kind) {
    case 'no_such_rail':
      return new CommandFailure(`There is no rail "${rail}" (there are ${refusal.rails.join(', ')})`);
    case 'method_not_carried':
      return new CommandFailure(`${rail} does not carry that method (it carries ${refusal.methods.join(', ')})`);
    case 'merchant_not_found':
      return new CommandFailure('--merchant: there is no such merchant');
    case 'limits_crossed':
      return new CommandFailure('--min is above --max');
    case 'no_such_route':
      return new CommandFailure('There is no such route: see "gateway route list"');
    default:
      return unreachable(refusal);
  }
}

const RESOLVE_FAILURES: Readonly<Record<Exclude<ResolvePayoutFailure, WordsRefusal>, string>> = {
  payout_not_found: 'There is no such payout',
  bank_not_told: 'That bank was never told of it: see its attempts; what waits to be sent may be cancelled',
  nothing_changes: 'It is recorded like that already: see "gateway payout show"',
};

export function resolveFailure(failure: ResolvePayoutFailure): CommandFailure {
  return typeof failure === 'string' ? new CommandFailure(RESOLVE_FAILURES[failure]) : wordsFailure(failure);
}

export function differenceNotFound(): CommandFailure {
  return new CommandFailure('There is no such difference: see "gateway difference list --all"');
}

export function differenceFailure(failure: ResolveDifferenceFailure): CommandFailure {
  return failure === 'no_open_difference'
    ? new CommandFailure('There is no such open difference: see "gateway difference list"')
    : wordsFailure(failure);
}

type RecoveryFailure = BeginRecoveryFailure | CompletionFailure | ReleaseFailure;

const RECOVERY_TEXTS: {
  readonly [Kind in RecoveryFailure['kind']]: (failure: Extract<RecoveryFailure, { kind: Kind }>) => string;
} = {
  words_refused: ({ word, reason }) => `--${word} ${reason}`,
  database_replays: () => 'PostgreSQL is still replaying its log: promote it first, then run this again',
  known_until_in_future: () => '--known-until lies in the future',
  not_recovering: () => 'The gateway is not recovering',
  no_such_rail: ({ rails }) => `There is no such rail (there are ${rails.join(', ')})`,
  criteria_not_met: ({ progress }) =>
    [
      'Not completed. Wait, or give --force with a reason:',
      ...progress.map(({ rail, missing }) => `- ${rail}: ${missing.join('; ')}`),
    ].join('\n'),
  nothing_to_release: () => 'No such payout waits to be sent',
};

export function recoveryFailure<Kind extends RecoveryFailure['kind']>(
  failure: Extract<RecoveryFailure, { kind: Kind }>,
): CommandFailure {
  return new CommandFailure(RECOVERY_TEXTS[failure.kind as Kind](failure));
}
