/**
 * A payout provider as a table row: it starts the simulator for a test, contains the gateway's variables and the faults with
 * which payouts complete automatically, and reads the book. Each rail has its row in `provider-under-test.ts`. Gateway and
 * simulator use the defaults of development.
 */
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import type {
  CommonSettings,
  SimulatorDefinition,
} from '../../../../rail-simulators/src/kernel/simulator-definition.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import type { AskSimulator } from './simulator-control.ts';

/** A name under which a provider's book may contain a payout. */
export interface NamedPayout {
  readonly reference: string;
}

/** An entry of a provider's book. */
export type BookLine = Readonly<Record<string, unknown>>;

export type Faults = Readonly<Record<string, unknown>>;

export interface Started {
  readonly url: string;
  /** The URL of the control surface, if it differs. */
  readonly controlUrl?: string;
  close(): Promise<void>;
}

export interface Surroundings {
  /** The gateway's URL for notifications, `…/rail-notifications`. */
  readonly notifications: string;
  /** A separate folder for certificates and keys. */
  readonly folder: string;
}

/** The delays of a provider's own actions. */
export type DelaysTo<Start extends (options: never) => unknown> = Parameters<Start>[0] extends {
  readonly delays?: infer Delays;
}
  ? NonNullable<Delays>
  : never;

export interface PayoutProviderRow<Delays> {
  readonly simulator: SimulatorDefinition<CommonSettings>;
  /** The variable with the provider's URL for payouts. */
  readonly address: string;
  readonly gatewayVariables: (url: string) => Readonly<Record<string, string>>;
  readonly start: (surroundings: Surroundings, delays: Delays) => Promise<Started>;
  /** Further variables of the gateway. */
  readonly variables?: (folder: string) => EnvironmentVariables;
  /** Runs before the first payout. */
  readonly prepare?: (url: string, folder: string, control: AskSimulator) => Promise<unknown>;
  /** The default of every fault setting: no amount is magic, and a payout is executed, immediately if possible. */
  readonly usual: Faults;
  /** The fields of a book entry: the payout's id, our name of it, and how often it was paid. */
  readonly id: string;
  readonly name: string;
  readonly named: (payout: NamedPayout) => string;
  readonly paid: (line: BookLine) => number;
  /** The delays in tests that kill the gateway, long enough that a payout is seen waiting. */
  readonly killDelays: Delays;
  /** Faults in those tests that suppress a notification about a payout whose final state the provider has already returned. */
  readonly quiet?: Faults;
  /** Its configuration in the restore drill: at any loss of the database, some payouts are in flight. */
  readonly drill: { readonly method: number; readonly delays: Delays };
}

export const EDGE = { host: '127.0.0.1', port: 0, control: true, clock: systemClock, log: () => {} } as const;

/** The defaults of development, with the book in memory. */
export function settingsOf<Settings extends CommonSettings>(
  simulator: SimulatorDefinition<Settings>,
  environment: Readonly<Record<string, string>>,
): Omit<Settings, 'bookPath' | 'port'> {
  const { bookPath: _, port: __, ...settings } = simulator.read(environment, '/').settings;
  return settings;
}

export const byReference = ({ reference }: NamedPayout): string => reference;
export const executions = ({ executions: count }: BookLine) => Number(count);

/** Common values for `killDelays`. */
export const KILL_MS = {
  /** Long enough that a payout is seen waiting. */
  settleMs: 3_000,
  /** A delay that is applied two or three times before the final state. */
  stepMs: 600,
  /** Longer than Visa waits before it responds that the payout is unfinished. */
  unfinishedMs: 6_000,
  holdMs: 30_000,
  lateMs: 300,
  notifyMs: 20,
} as const;
