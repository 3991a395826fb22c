/** The conducts of a disbursement, as a table: its first status, and its later status, if there is one. */
import type { Status } from './book.ts';

export const WAYS = {
  approve: { first: 'APPROVED', endsAs: null },
  decline: { first: 'DECLINED', endsAs: null },
  unknown_then_approve: { first: 'UNKNOWN', endsAs: 'APPROVED' },
  unknown_then_decline: { first: 'UNKNOWN', endsAs: 'DECLINED' },
  pending_then_approve: { first: 'PENDING', endsAs: 'APPROVED' },
  approve_then_reverse: { first: 'APPROVED', endsAs: 'REVERSED' },
} as const satisfies Readonly<Record<string, { readonly first: Status; readonly endsAs: Status | null }>>;
