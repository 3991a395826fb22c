/**
 * The audit log. An action makes two entries: `begun` before it starts, and its outcome. Therefore no action lacks an entry,
 * even if the process dies midway. A merchant's entries form a chain: the hash of each includes the hash of the previous one,
 * so a changed entry breaks every later hash.
 */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Actor } from './actor.ts';

/** `rejected`: the gateway changed nothing. `failed`: an error occurred, and the outcome may be unknown. */
const AUDIT_PHASES = ['begun', 'done', 'rejected', 'failed'] as const;
export type AuditPhase = (typeof AUDIT_PHASES)[number];

export interface NewAuditEntry {
  /** The chain: the merchant that the action concerns, or the operator. */
  readonly merchantId: MerchantId;
  readonly at: Instant;
  readonly actId: string;
  readonly phase: AuditPhase;
  readonly act: string;
  /** The path of the object. */
  readonly object: string;
  readonly actor: Actor;
  /** The address of the client, or null for an action of the server's command line. */
  readonly address: string | null;
  readonly requestId: string;
  readonly reason: string | null;
  /** JSON without secrets: the request in `begun`, the change in `done`, the problem in `rejected` and `failed`. */
  readonly detail: string;
}

export interface AuditEntry extends NewAuditEntry {
  /** The entry's position in the chain, from 1. */
  readonly number: number;
  readonly hash: Buffer;
}

/** The hash before the first entry. */
export const CHAIN_START: Buffer = Buffer.alloc(0);

/**
 * Hashes each field as its length in bytes, a colon and its text, and null as `-`. This is unambiguous, and the invariant of
 * the chain computes the same hash in SQL (storage/invariants/verify-audit-invariants.ts).
 */
export function chainHash(previous: Buffer, number: number, entry: NewAuditEntry): Buffer {
  const { merchantId, at, actId, phase, act, object, actor, address, requestId, reason, detail } = entry;
  const fields = [merchantId, String(number), String(at), actId, phase, act, object, actor.kind, actor.id, actor.name];
  const written = [...fields, address, requestId, reason, detail].map(writeField).join('');
  return createHash('sha256').update(previous).update(written).digest();
}

function writeField(text: string | null): string {
  return text === null ? '-' : `${Buffer.byteLength(text)}:${text}`;
}
