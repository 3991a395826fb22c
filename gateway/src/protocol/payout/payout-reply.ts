/**
 * The response envelope of the payout family: exactly five signed fields. An error is signed with the empty key and names no
 * payout (decisions 2 and 21).
 */
import { type Payout, resultOf } from '../../domain/payouts/payout.ts';
import type { Secret } from '../../foundation/secret.ts';
import { EMPTY_KEY, md5Sign } from '../signatures/merchant-signature.ts';

const ERROR_CODE = '99';

/** The fields of a response without `sign`. */
export type UnsignedReply = Readonly<Record<string, string>>;

export function payoutReply(payout: Payout): UnsignedReply {
  const { status, code, text } = resultOf(payout);
  return { status, code, payout_id: payout.payoutId, description: text };
}

export function signReply(reply: UnsignedReply, key: Secret): UnsignedReply {
  return { ...reply, sign: md5Sign(reply, key) };
}

export function payoutErrorReply(description: string): UnsignedReply {
  return signReply({ status: 'Error', code: ERROR_CODE, payout_id: '', description }, EMPTY_KEY);
}
