/** The port of a rail that receives notifications from its bank. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import type { AskForTransfer } from '../deposits/confirm-transfer.ts';
import type { IncomingTransfer } from '../deposits/deposit.ts';
import type { PaymentNews } from '../payments/payment-rail.ts';
import type { FinalAnswer } from '../payouts/payout-rail.ts';

/** Queries the bank to confirm the reported event of the payout with this amount. Never throws. */
export type AskForPayout = (
  money: Money,
  deadline: Deadline,
) => Promise<{ readonly kind: 'confirmed' } | { readonly kind: 'unconfirmed'; readonly reason: string }>;

interface NewsOfPayout {
  readonly reference: string;
  /** Set if the notification is unauthenticated. The gateway must query the bank before it records an event. */
  readonly ask?: AskForPayout;
  /** The amount that the bank reports. Null if it reports none, which proves no execution, so the gateway must query. */
  readonly money: Money | null;
}

export type PayoutNews = NewsOfPayout & FinalAnswer;

export type TransferNews =
  /** Money arrived. If `ask` is set, the notification is unauthenticated, and the gateway must query the bank first. */
  | { readonly kind: 'received'; readonly transfer: IncomingTransfer; readonly ask?: AskForTransfer }
  /**
   * Money arrived that is not ours, and the response makes the bank return it. If reconciliation had already recorded it, the
   * response is `ifReceived` instead, so that the bank does not return it as well.
   */
  | { readonly kind: 'sent_back'; readonly transfer: IncomingTransfer; readonly ifReceived: Acknowledgement };

/** A provider's notification of a payer's payment. The rail's name and its reference identify the attempt. */
export interface PaymentNotification {
  readonly kind: 'payment';
  readonly news: PaymentNews;
}

export type RailNews = PayoutNews | TransferNews | PaymentNotification;

export type NotificationFailure =
  | { readonly kind: 'unauthentic' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** The bytes as received. Header names are in lower case. `client-cert` (RFC 9440) is present only if a trusted proxy set it. */
export interface RawNotification {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The socket's address, or the address that a trusted proxy reports. */
  readonly clientAddress: string;
}

/** The response to the bank once all events are durably recorded. */
export interface Acknowledgement {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface ReadNotification {
  readonly news: readonly RailNews[];
  readonly acknowledgement: Acknowledgement;
}

export type NotificationReading = Result<ReadNotification, NotificationFailure>;

export interface RailNotifications {
  /** The rail's name. Its notifications arrive at `/rail-notifications/<name>`. */
  readonly name: string;
  /** The HTTP status for an unreadable notification. Some banks interpret 400 as an instruction to return the money. */
  readonly malformedStatus: number;
  read(notification: RawNotification): NotificationReading;
}
