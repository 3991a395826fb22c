/** The definition of a simulator for the list of simulators. The `simulator.ts` of each folder exports one. */
import type { Clock } from '../clock.ts';
import type { Environment, Read } from './settings.ts';

export interface CommonSettings {
  readonly port: number;
  /** Opens the control surface. */
  readonly secret: string;
  /** The file of the book. */
  readonly bookPath: string;
  /** Whether the control surface is enabled. */
  readonly control: boolean;
}

export interface SimulatorDefinition<Settings extends CommonSettings> {
  /** A relative path begins at `projectRoot`, in any working directory. */
  read(environment: Environment, projectRoot: string): Read<Settings>;
  /** Throws a StartupFault when a port, a book or a key is unavailable. */
  start(here: Surroundings, settings: Settings): Promise<Running>;
}

export interface Surroundings {
  readonly host: string;
  readonly clock: Clock;
  /** Receives one line per problem. */
  readonly log: (line: string) => void;
}

export interface Running {
  /** One line with the simulator's name and address. */
  readonly line: string;
  /** The variables by which a gateway on this machine finds this simulator. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const NO_MONEY = '(for development, no money moves)';
