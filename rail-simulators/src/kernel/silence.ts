/**
 * What a simulator does when its book cannot be written. A restart would lose executions that it knows, so it stops responding
 * and logs the reason once. Any other failure is a bug, and is rethrown.
 */
import { BookFailure } from './book-file.ts';

interface Silence {
  readonly isSilenced: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

export function silenceOnBookFailure(owner: string, log: (line: string) => void): Silence {
  let silenced = false;
  const onFailure = (error: unknown) => {
    if (!(error instanceof BookFailure)) throw error;
    if (!silenced) log(`${owner}: stopped answering, because its book cannot be written: ${error.message}`);
    silenced = true;
  };
  return { isSilenced: () => silenced, onFailure };
}
