/**
 * What a simulator does when its book can't be written: it knows executions that a restart would forget, so it says
 * nothing more and tells why once. Anything else that fails is a bug, and thrown on.
 */
import { BookFailure } from './journal.ts';

export interface Silence {
  readonly isSilenced: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

export function silenceOnBookFailure(owner: string, log: (line: string) => void): Silence {
  let silenced = false;
  const onFailure = (error: unknown) => {
    if (!(error instanceof BookFailure)) throw error;
    if (!silenced) log(`${owner}: stopped answering, because its book can't be written: ${error.message}`);
    silenced = true;
  };
  return { isSilenced: () => silenced, onFailure };
}
