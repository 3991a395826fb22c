/** What the list of simulators needs to know of a simulator. The `simulator.ts` of each folder exports one definition. */
import type { Clock } from '../clock.ts';
import type { Environment, Read } from './settings.ts';

export interface CommonSettings {
  readonly port: number;
  /** The bearer token of the control surface. */
  readonly secret: string;
  /** The file of the book. */
  readonly bookPath: string;
  /** Whether the control surface is enabled. */
  readonly control: boolean;
}

export interface SimulatorDefinition<Settings extends CommonSettings> {
  /** A relative path starts at `projectRoot`, whatever the working directory. */
  read(environment: Environment, projectRoot: string): Read<Settings>;
  /** Throws a StartupFault if a port, a book or a key is unavailable. */
  start(here: Surroundings, settings: Settings): Promise<Running>;
}

export interface Surroundings {
  readonly host: string;
  readonly clock: Clock;
  /** Called with one line per problem. */
  readonly log: (line: string) => void;
}

export interface Running {
  /** A line with the simulator's name and URL. */
  readonly line: string;
  /** The variables with which a gateway on this machine finds this simulator. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const NO_MONEY = '(for development, no money moves)';
