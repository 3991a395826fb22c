/**
 * Which envelope a path family answers errors in, as a table by path prefix: what can't be routed or read has no wire
 * of its own, yet is answered in the shape that the merchant's client expects there.
 */
import { invariant } from '../../foundation/invariant.ts';
import { depositFailure } from '../host2host/deposit-reply.ts';
import { payoutErrorReply } from '../payout/payout-reply.ts';

export type ErrorEnvelope = (description: string) => Readonly<Record<string, string | number>>;

interface PathEnvelope {
  readonly prefix: string;
  readonly envelope: ErrorEnvelope;
}

/** The first prefix that fits decides; the last one fits every path. */
const ENVELOPES: readonly PathEnvelope[] = [
  { prefix: '/api/v2/spei', envelope: depositFailure },
  { prefix: '', envelope: payoutErrorReply },
];

export function errorEnvelopeFor(path: string): ErrorEnvelope {
  const found = ENVELOPES.find(({ prefix }) => path.startsWith(prefix));
  invariant(found, 'no error envelope fits every path');
  return found.envelope;
}
