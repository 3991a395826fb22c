/** The port for the content of statements. */
import type { Instant } from '../../foundation/clock.ts';
import type { StatementOrder, StatementPosting } from './statement.ts';

export interface PostingPlace {
  readonly postedAt: Instant;
  readonly journalId: string;
  readonly line: number;
}

export interface StatementStore {
  /** Returns the ends of the closed hours within the period in which the merchant's money changed, in order. */
  activeHours(order: StatementOrder): Promise<readonly Instant[]>;
  /** Returns at most `limit` postings of the merchant and currency in the period, after `after`, in the order of the ledger. */
  postings(order: StatementOrder, after: PostingPlace | null, limit: number): Promise<readonly StatementPosting[]>;
}
