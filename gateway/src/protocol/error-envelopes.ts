/**
 * Which envelope a path family answers errors in, as a table by path prefix: what can't be routed or read has no wire
 * of its own, yet is answered in the shape that the merchant's client expects there.
 */
import { invariant } from '../foundation/invariant.ts';
import { depositFailure } from './host2host/deposit-reply.ts';
import { payoutErrorReply } from './payout/payout-reply.ts';

export type ErrorEnvelope = (description: string) => Readonly<Record<string, string | number>>;

interface PathEnvelope {
  readonly prefix: string;
  readonly envelope: ErrorEnvelope;
  /** What was written before, by its text: they are few, and are asked for when there is least time. */
  readonly written: Map<string, string>;
}

function envelopeOf(prefix: string, envelope: ErrorEnvelope): PathEnvelope {
  return { prefix, envelope, written: new Map() };
}

/** The first prefix that fits decides; the last one fits every path. */
const ENVELOPES: readonly PathEnvelope[] = [
  envelopeOf('/api/v2/spei', depositFailure),
  envelopeOf('', payoutErrorReply),
];

export function errorEnvelopeFor(path: string): ErrorEnvelope {
  return pathEnvelope(path).envelope;
}

/** The envelope as JSON. `description` has to be one out of a closed list. */
export function errorBodyFor(path: string, description: string): string {
  const { envelope, written } = pathEnvelope(path);
  const body = written.get(description) ?? JSON.stringify(envelope(description));
  written.set(description, body);
  return body;
}

function pathEnvelope(path: string): PathEnvelope {
  const found = ENVELOPES.find(({ prefix }) => path.startsWith(prefix));
  invariant(found, 'no error envelope fits every path');
  return found;
}
