/** What a bank tells on its own account. A rail that can be told speaks this beside what else it does. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import type { AskForTransfer } from '../deposits/confirm-transfer.ts';
import type { IncomingTransfer } from '../deposits/deposit.ts';
import type { PaymentNews } from '../payments/payment-rail.ts';
import type { BlockedCode } from '../payouts/payout.ts';

/** Asks the bank whether it says what was reported about the payout, which is of this money. Never throws. */
export type AskForPayout = (
  money: Money,
  deadline: Deadline,
) => Promise<{ readonly kind: 'confirmed' } | { readonly kind: 'unconfirmed'; readonly reason: string }>;

interface NewsOfPayout {
  readonly reference: string;
  /** Present: nothing vouches for the news, and the bank is to be asked before they are recorded. */
  readonly ask?: AskForPayout;
  /** The amount that the bank names; null: none, which proves no execution, so the bank has to be asked. */
  readonly money: Money | null;
}

export type PayoutNews =
  | (NewsOfPayout & { readonly kind: 'executed' })
  | (NewsOfPayout & { readonly kind: 'declined'; readonly code: BlockedCode; readonly reason: string })
  | (NewsOfPayout & { readonly kind: 'reversed'; readonly reason: string });

export type TransferNews =
  /** Money came in. With `ask`: nothing vouches for that, and the bank is to be asked before it is recorded. */
  | { readonly kind: 'received'; readonly transfer: IncomingTransfer; readonly ask?: AskForTransfer }
  /**
   * Money came that is none of ours, and the answer tells the bank to return it. Where it was taken in before, by way of
   * the bank's list, the answer is `ifTaken` instead: it must not be returned as well.
   */
  | { readonly kind: 'sent_back'; readonly transfer: IncomingTransfer; readonly ifTaken: Acknowledgement };

/** What a provider tells of a payer's payment; the rail's name and the reference in it find the attempt. */
export interface PaymentTold {
  readonly kind: 'payment';
  readonly news: PaymentNews;
}

export type RailNews = PayoutNews | TransferNews | PaymentTold;

export type NotificationFailure =
  | { readonly kind: 'unauthentic' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** The bytes as they came. Header names in lower case; `client-cert` (RFC 9440) only where a trusted proxy vouches for it. */
export interface RawNotification {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The socket's address, or what a trusted proxy says it is. */
  readonly clientAddress: string;
}

/** What the bank is answered once the news is safely recorded. */
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
  /** The rail's name; its notifications arrive at `/rail-notifications/<name>`. */
  readonly name: string;
  /** What a notification that can't be read is answered with. To some banks 400 means that the money goes back. */
  readonly malformedStatus: number;
  read(notification: RawNotification): NotificationReading;
}
