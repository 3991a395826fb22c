/** The port for sessions of signed-in users. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { SignInWay } from './caller.ts';

export interface Session {
  readonly sessionId: string;
  readonly personId: string;
  /** The team for which it acts. Null for the operator's team. */
  readonly merchantId: MerchantId | null;
  /** The merchant whose pages an operator user views. Null if the session views only its own team. */
  readonly viewedMerchantId: MerchantId | null;
  readonly way: SignInWay;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
}

export interface FoundSession extends Session {
  readonly email: string;
  /** Null if the user has left. */
  readonly role: string | null;
}

export interface SessionStore {
  add(session: Session, tokenHash: Buffer): Promise<void>;
  /** Returns undefined if the session does not exist or has ended. */
  find(tokenHash: Buffer): Promise<FoundSession | undefined>;
  markUsed(sessionId: string, at: Instant): Promise<void>;
  /** Returns the sessions that began since `since` and have not ended, newest first. */
  list(personId: string, since: Instant): Promise<readonly Session[]>;
  /** Switches the session, and ends the view of a merchant’s pages. */
  switchTo(sessionId: string, merchantId: MerchantId | null): Promise<void>;
  viewAs(sessionId: string, merchantId: MerchantId): Promise<void>;
  /** Returns false if the user has no such session. */
  end(personId: string, sessionId: string, at: Instant): Promise<boolean>;
  endAll(personId: string, at: Instant): Promise<void>;
  /** Ends the sessions that act for the team. Returns how many. */
  endOfTeam(personId: string, merchantId: MerchantId | null, at: Instant): Promise<number>;
  /** Deletes at most `limit` sessions that began before `begunBefore`. Returns how many. */
  forget(begunBefore: Instant, limit: number): Promise<number>;
}
