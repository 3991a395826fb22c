/** The command behind host2host create: one deposit per order, with its own address to pay to. */

import type { Clock } from '../../foundation/clock.ts';
import { Overloaded } from '../../foundation/commit-errors.ts';
import type { Money } from '../../foundation/money.ts';
import type { Random } from '../../foundation/random.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { WithParts } from '../../foundation/with-parts.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { PaymentType } from '../methods/payment-type.ts';
import { type Deposit, type Payer, unpaid } from './deposit.ts';
import type { DepositComposer } from './deposit-callbacks.ts';
import type { DepositRail } from './deposit-rail.ts';
import type { DepositRejection } from './deposit-rejection.ts';
import type { DepositStore, Displacement, OpenOutcome, OpenRequest } from './deposit-store.ts';
import { planDisplacement } from './plan-displacement.ts';
import { type OnProblem, orTemporaryError } from './temporary-error.ts';

export interface DepositRequest {
  readonly merchant: Merchant;
  readonly orderId: string;
  readonly paymentType: PaymentType;
  readonly money: Money;
  readonly amountText: string;
  readonly payer: Payer;
}

export interface OpenDepositParts {
  readonly store: Pick<DepositStore, 'open' | 'allocateAddress' | 'releaseAddress'>;
  readonly nextTransactionId: () => Promise<number>;
  readonly rails: readonly DepositRail[];
  readonly clock: Clock;
  readonly random: Random;
  readonly compose: DepositComposer;
  /** `displaced` is the deposit that lost its order to the new deposit. */
  readonly onOpened: (deposit: Deposit, displaced: Displacement | null) => void;
  readonly onProblem: OnProblem;
}

export type OpenDeposit = WithParts<typeof openDeposit>;

/** Throws Overloaded before any attempt, and OutcomeUnknown if the deposit may or may not exist. */
export async function openDeposit(
  parts: OpenDepositParts,
  request: DepositRequest,
): Promise<Result<Deposit, DepositRejection>> {
  const { merchant, money, paymentType } = request;
  if (merchant.state === 'suspended') return fail({ kind: 'merchant_disabled' });
  if (!withinLimits(request)) return fail({ kind: 'amount_out_of_limits' });
  const rail = parts.rails.find((each) => each.paymentType === paymentType && each.currency === money.currency);
  if (!rail || merchant.settings.disabled_payment_types.includes(paymentType))
    return fail({ kind: 'method_unavailable' });
  if (merchant.state === 'test' && !rail.simulated) return fail({ kind: 'method_unavailable' });
  const prepared = await orTemporaryError(() => newDeposit(parts, request, rail), parts.onProblem);
  if (!prepared.ok) return prepared;
  const deposit = prepared.value;
  if (!deposit) return fail({ kind: 'method_unavailable' });

  const { transactionId: by, createdAt: at } = deposit;
  const displace: OpenRequest['displace'] = (facts) =>
    planDisplacement(facts, { by }, { merchant, compose: parts.compose, at });
  const outcome = await writeDeposit(parts, { deposit, displace });
  if (outcome.kind === 'order_exists') return fail({ kind: 'order_exists' });
  parts.onOpened(deposit, outcome.displaced);
  return ok(deposit);
}

/** Checks the merchant's limits for this payment type and currency. */
export function withinLimits({
  merchant,
  paymentType,
  money,
}: Pick<DepositRequest, 'merchant' | 'paymentType' | 'money'>): boolean {
  const lowest = merchant.settings.perMethod('min_amount', paymentType, money.currency);
  const highest = merchant.settings.perMethod('max_amount', paymentType, money.currency);
  return (lowest === undefined || money.minor >= lowest) && (highest === undefined || money.minor <= highest);
}

/** Releases the address if it is certain that no deposit uses it. */
async function writeDeposit(parts: OpenDepositParts, request: OpenRequest): Promise<OpenOutcome> {
  const release = () =>
    parts.store
      .releaseAddress(request.deposit.payTo)
      .catch((error: unknown) => parts.onProblem('an address could not be released', error));
  try {
    const outcome = await parts.store.open(request);
    if (outcome.kind === 'order_exists') await release();
    return outcome;
  } catch (error) {
    if (error instanceof Overloaded) await release();
    throw error;
  }
}

/** Returns undefined if no address is free. The address is allocated last, so that no later failure leaves it unused. */
async function newDeposit(
  { store, nextTransactionId, random, clock }: OpenDepositParts,
  { merchant, orderId, paymentType, money, amountText, payer }: DepositRequest,
  rail: DepositRail,
): Promise<Deposit | undefined> {
  const transactionId = await nextTransactionId();
  const createdAt = clock.now();
  const payTo = await store.allocateAddress(rail, merchant.merchantId, createdAt);
  if (payTo === undefined) return undefined;
  return {
    merchantId: merchant.merchantId,
    transactionId,
    uuid: random.uuid(),
    orderId,
    paymentType,
    money,
    amountText,
    payer,
    rail: rail.name,
    payTo,
    beneficiary: rail.beneficiary,
    ...unpaid(createdAt, rail.validityMs, rail.graceMs),
  };
}
