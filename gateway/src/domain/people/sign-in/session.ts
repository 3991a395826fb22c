/** Sessions of signed-in users: their token, their limits, and the check of each request. */
import { createHash } from 'node:crypto';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { type Random, randomAlphanumeric } from '../../../foundation/random.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { Caller, SignInWay } from '../caller.ts';
import type { Membership, Person } from '../person.ts';
import type { Session, SessionStore } from '../session-store.ts';

/** Returns the permissions of a role, or undefined if it does not exist. `merchantId` is null for roles of the operator. */
export type PermissionsOf = (merchantId: MerchantId | null, role: string) => ReadonlySet<string> | undefined;

/** The client of a request, as shown with its session. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

export const SESSION_LIMIT_MS = 12 * HOUR_MS;
const OPERATOR_IDLE_MS = 15 * MINUTE_MS;
const MERCHANT_IDLE_MS = 60 * MINUTE_MS;
/** A session's last use is updated at most this often, so its idle time is accurate to half a minute. */
const MARK_EVERY_MS = 30 * SECOND_MS;

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SESSION_ID_LENGTH = 12;
const USER_AGENT_LENGTH = 200;

function idleLimitOf(merchantId: MerchantId | null): number {
  return merchantId === null ? OPERATOR_IDLE_MS : MERCHANT_IDLE_MS;
}

function hashToken(token: Secret): Buffer {
  return createHash('sha256').update(token.reveal()).digest();
}

export interface SessionParts {
  readonly sessions: SessionStore;
  readonly permissionsOf: PermissionsOf;
  readonly clock: Clock;
  readonly random: Random;
}

export interface StartedSession {
  /** The cookie’s value, returned only here. */
  readonly token: Secret;
  readonly session: Session;
}

/** Each authentication starts a session with a new token, whatever the client sent before. */
export async function startSession(
  { sessions, clock, random }: SessionParts,
  person: Pick<Person, 'personId'>,
  { merchantId }: Pick<Membership, 'merchantId'>,
  { way, address, userAgent }: Client & { readonly way: SignInWay },
): Promise<StartedSession> {
  const token = new Secret(random.bytes(TOKEN_BYTES).toString('base64url'));
  const now = clock.now();
  const session: Session = {
    sessionId: randomAlphanumeric(random, SESSION_ID_LENGTH),
    personId: person.personId,
    merchantId,
    viewedMerchantId: null,
    way,
    address,
    userAgent: userAgent.slice(0, USER_AGENT_LENGTH),
    createdAt: now,
    lastUsedAt: now,
  };
  await sessions.add(session, hashToken(token));
  return { token, session };
}

/**
 * Returns the caller of a request with this token, or undefined if the session has ended or was idle for too long, or its user
 * has left. It reads the role each time, so a change takes effect immediately. An open stream passes `isUse` as false, because
 * it must not prevent the session from becoming idle.
 */
export async function authenticateSession(
  { sessions, permissionsOf, clock }: Omit<SessionParts, 'random'>,
  token: Secret,
  isUse: boolean,
): Promise<Caller | undefined> {
  if (!TOKEN.test(token.reveal())) return undefined;
  const session = await sessions.find(hashToken(token));
  if (!session || session.role === null) return undefined;
  const { sessionId, personId, merchantId, viewedMerchantId, way, email, role, createdAt, lastUsedAt } = session;
  const now = clock.now();
  if (now - createdAt >= SESSION_LIMIT_MS || now - lastUsedAt >= idleLimitOf(merchantId)) return undefined;
  if (isUse && now - lastUsedAt >= MARK_EVERY_MS) await sessions.markUsed(sessionId, now);
  const permissions = (way === 'recovery' ? undefined : permissionsOf(merchantId, role)) ?? new Set<string>();
  const caller = {
    actor: { kind: 'person', id: personId, name: email },
    session: { sessionId, personId, way, createdAt },
  } as const;
  if (merchantId !== null || viewedMerchantId === null) return { ...caller, merchantId, permissions };
  const seen = [...(permissionsOf(viewedMerchantId, VIEWED_ROLE) ?? [])].filter((name) => name.endsWith(':read'));
  const shared = new Set(seen.filter((name) => permissions.has(name)));
  return { ...caller, merchantId: viewedMerchantId, permissions: shared, isViewing: true };
}

/** An operator user who views a merchant has only the read permissions that both this role and their own role have. */
const VIEWED_ROLE = 'owner';
