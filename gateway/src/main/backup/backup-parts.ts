/** The parts of the commands about backups. */
import type { Clock } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import type { OpenConnection } from '../compose/open-connection.ts';
import type { Config } from '../config/config.ts';

export interface BackupParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with a line for each slow step or interruption. */
  readonly onProgress: (line: string) => void;
}

/** The serving database, and how a backup connects to its server. */
export type ServerToBackUp = OpenConnection & { readonly replication: OpenConnection['connection'] };
