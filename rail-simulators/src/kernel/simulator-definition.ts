/** A simulator as the list of them has it. The `simulator.ts` of each folder defines one. */
import type { Clock } from '../clock.ts';
import type { Environment, Read } from './settings.ts';

export interface CommonSettings {
  readonly port: number;
  /** Opens the control surface. */
  readonly secret: string;
  /** The file of the book. */
  readonly bookPath: string;
  /** Whether the control surface is there. */
  readonly control: boolean;
}

export interface SimulatorDefinition<Settings extends CommonSettings> {
  /** A relative path starts at `projectRoot`, wherever the command was given. */
  read(environment: Environment, projectRoot: string): Read<Settings>;
  /** Throws a StartupFault when a port, a book or a key can't be had. */
  start(here: Surroundings, settings: Settings): Promise<Running>;
}

export interface Surroundings {
  readonly host: string;
  readonly clock: Clock;
  /** Takes one line per trouble. */
  readonly log: (line: string) => void;
}

export interface Running {
  /** One line that says what it is and where. */
  readonly line: string;
  /** The variables by which a gateway on this machine finds this simulator. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const NO_MONEY = '(for development, no money moves)';
