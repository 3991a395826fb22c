/**
 * The error envelope of each endpoint family, as a table by path prefix. A request that the gateway cannot route or read
 * belongs to no endpoint, but the client still gets an error in the format of its family.
 */
import { invariant } from '../foundation/invariant.ts';
import { depositFailure } from './host2host/deposit-reply.ts';
import { payoutErrorReply } from './payout/payout-reply.ts';

type ErrorEnvelope = (description: string) => Readonly<Record<string, string | number>>;

interface PathEnvelope {
  readonly prefix: string;
  readonly envelope: ErrorEnvelope;
  /** Bodies written earlier, by description. There are few of them, and the gateway needs them most when it is overloaded. */
  readonly written: Map<string, string>;
}

function envelopeOf(prefix: string, envelope: ErrorEnvelope): PathEnvelope {
  return { prefix, envelope, written: new Map() };
}

/** The first matching prefix decides. The last prefix matches every path. */
const ENVELOPES: readonly PathEnvelope[] = [
  envelopeOf('/api/v2/spei', depositFailure),
  envelopeOf('', payoutErrorReply),
];

/** Returns the envelope as JSON. `description` must come from a closed list, because each body is kept in memory. */
export function errorBodyFor(path: string, description: string): string {
  const { envelope, written } = pathEnvelope(path);
  const body = written.get(description) ?? JSON.stringify(envelope(description));
  written.set(description, body);
  return body;
}

function pathEnvelope(path: string): PathEnvelope {
  const found = ENVELOPES.find(({ prefix }) => path.startsWith(prefix));
  invariant(found, 'no error envelope matches the path');
  return found;
}
