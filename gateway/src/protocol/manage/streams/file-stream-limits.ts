/** Limits files that are written in chunks: by the validity of the credential, and by the number of open files of a team. */
import type { Readable } from 'node:stream';
import type { Caller } from '../../../domain/people/caller.ts';
import { type Clock, SECOND_MS } from '../../../foundation/clock.ts';
import { teamOf } from '../acts/two-people.ts';
import type { ManageProblem } from '../problems.ts';

/** Aborts the connection, so that no client mistakes a partial file for a complete one. */
export class CredentialEnded extends Error {}

/** The longest time between two checks of the credential. */
const CHECK_EACH_MS = 1 * SECOND_MS;

/** `authenticate` resolves to the caller of the same credential now, or undefined if the credential has ended. */
export async function* whileAllowed(
  pieces: AsyncIterable<Buffer>,
  clock: Pick<Clock, 'now'>,
  authenticate: () => Promise<Caller | undefined>,
): AsyncGenerator<Buffer> {
  let provedAt = clock.now();
  for await (const piece of pieces) {
    if (clock.now() - provedAt >= CHECK_EACH_MS) {
      if (!(await authenticate())) throw new CredentialEnded('the credential of the download is no longer valid');
      provedAt = clock.now();
    }
    yield piece;
  }
}

/** A client that reads slowly keeps its file open, and the files of one team must not occupy the API of all others. */
const MOST_OF_TEAM = 4;

export const TOO_MANY_FILES: ManageProblem = {
  code: 'too-many-requests',
  detail: 'Too many downloads of this team are open: wait until one finishes.',
};

export interface OpenFiles {
  /** Counts the file until it closes. If the team has too many open files, closes it unread and returns false. */
  admit(caller: Caller, file: Readable): boolean;
}

export function createOpenFiles(): OpenFiles {
  const open = new Map<string, number>();
  return {
    admit(caller, file) {
      const team = teamOf(caller);
      const count = (change: number) => open.set(team, (open.get(team) ?? 0) + change);
      if ((open.get(team) ?? 0) >= MOST_OF_TEAM) {
        file.destroy();
        return false;
      }
      count(1);
      file.once('close', () => count(-1));
      return true;
    },
  };
}
