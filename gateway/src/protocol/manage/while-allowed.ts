/** Ends a file that is written in pieces when the credential that asked for it ends or loses its permission. */
import type { Caller } from '../../domain/people/caller.ts';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';

/** The connection breaks, so that no client takes the part for the whole. */
export class CredentialEnded extends Error {}

/** The longest time that pieces follow each other without a look at the credential. */
const CHECK_EACH_MS = 1 * SECOND_MS;

/** `authenticate` gives the caller of the same credential now; undefined: it has ended. */
export async function* whileAllowed(
  pieces: AsyncIterable<Buffer>,
  clock: Pick<Clock, 'now'>,
  authenticate: () => Promise<Caller | undefined>,
): AsyncGenerator<Buffer> {
  let provedAt = clock.now();
  for await (const piece of pieces) {
    if (clock.now() - provedAt >= CHECK_EACH_MS) {
      if (!(await authenticate())) throw new CredentialEnded('the credential of the file has ended');
      provedAt = clock.now();
    }
    yield piece;
  }
}
