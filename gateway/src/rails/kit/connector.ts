/** The ports that a rail offers. The `connector.ts` of its folder makes them from its configuration and `ConnectorParts`. */
import type { DepositRail } from '../../domain/deposits/deposit-rail.ts';
import type { RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { PaymentRail } from '../../domain/payments/payment-rail.ts';
import type { PayoutLister } from '../../domain/payouts/payout-lister.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { RailProbe } from '../../domain/payouts/rail-probe.ts';
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import type { RailPreparation } from '../../domain/rails/rail-preparation.ts';
import type { TransferLister } from '../../domain/reconciliation/transfer-lister.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import type { RailHooks } from './rail-hooks.ts';

export interface ConnectorParts {
  readonly hooks: RailHooks;
  readonly clock: Clock;
  readonly random: Random;
}

/** The capabilities of a rail, one port each. */
export interface Connector {
  readonly payoutRail?: PayoutRail;
  readonly payoutLister?: PayoutLister;
  /** Lists the refunds of its payment rail. If the provider has a list of payouts, it also contains refunds. */
  readonly refundLister?: PayoutLister;
  readonly floatReader?: FloatReader;
  readonly probe?: RailProbe;
  readonly depositRail?: DepositRail;
  readonly transferLister?: TransferLister;
  readonly notifications?: RailNotifications;
  readonly paymentRail?: PaymentRail;
  readonly preparation?: RailPreparation;
  /** The caller closes them after the requests in flight have ended. */
  readonly connections?: readonly Closable[];
}

interface Closable {
  close(): Promise<void>;
}

/** One more connection for a lister that queries each payout of a day, one at a time, so that payouts never wait. */
export const CONNECTIONS_TO_RECONCILE = 1;
