/** The parts of the commands about attempts to pay, and the payment that a payer submits. */
import type { Instant } from '../../../foundation/clock.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import type { Random } from '../../../foundation/random.ts';
import type { Deposit, DepositKey } from '../../deposits/deposit.ts';
import type { DepositSettlementOutcome, Displacement } from '../../deposits/deposit-store.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { FormPaymentType } from '../../methods/payment-type.ts';
import type { Vault } from '../../vault/vault.ts';
import type { FormSession } from '../form-session.ts';
import type { CallParts, PaymentCard, PaymentPayer, PaymentRail } from '../payment-rail.ts';
import type { WalletPayment } from '../wallet.ts';
import type { CountingParts, LimitSubject } from './attempt-limits.ts';
import type { PaymentAttempt } from './payment-attempt.ts';
import type { SettleAttemptParts } from './settle-attempt.ts';

/** The attempt limits, and the vault that hashes the counted values and seals cards. */
export interface LimitParts extends CountingParts {
  readonly vault: Pick<Vault, 'sealFields' | 'fingerprint'>;
  /** Called for each attempt that a limit rejected. */
  readonly onAttemptLimitReached: (merchantId: MerchantId, subject: LimitSubject, at: Instant) => void;
}

export interface PaymentParts extends CallParts, SettleAttemptParts {
  readonly rails: readonly PaymentRail[];
  /** Resolves to false if the clocks differ too much: other processes would misinterpret this machine's times. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly random: Random;
  /** Whether a mail server is configured. */
  readonly canEmail: boolean;
  readonly nextTransactionId: () => Promise<number>;
  readonly limits: LimitParts;
  /** Called when a form becomes a deposit, with the deposit that lost its order to it. */
  readonly onOpened: (deposit: Deposit, displaced: Displacement | null) => void;
  /** Called when a payer cancels the payment. */
  readonly onEnded: (key: DepositKey, outcome: DepositSettlementOutcome) => void;
}

export interface SubmittedPayment {
  readonly session: FormSession;
  /** The number of attempts that the payer had seen, so that pressing the button twice does not create a second attempt. */
  readonly attemptsSeen: number;
  readonly merchant: Merchant;
  readonly paymentType: FormPaymentType;
  readonly payer: PaymentPayer;
  /** The card or wallet, for a card rail. Otherwise null. */
  readonly card: PaymentCard | WalletPayment | null;
  /** Returns the payer's return URL for an attempt. */
  readonly returnUrl: (attempt: PaymentAttempt) => string;
}
