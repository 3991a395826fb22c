/**
 * A provider that sends payouts, as the row of a table. The row starts its simulator for a test, has the gateway's
 * variables for it and the faults with which payouts end automatically, and reads its book. The `provider-under-test.ts` of
 * a rail's folder has the row. Gateway and simulator use the defaults of development.
 */
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import type {
  CommonSettings,
  SimulatorDefinition,
} from '../../../../rail-simulators/src/kernel/simulator-definition.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import type { AskSimulator } from './simulator-control.ts';

/** The name by which a provider's book may know a payout. */
export interface NamedPayout {
  readonly reference: string;
}

/** A line of a provider's book. */
export type BookLine = Readonly<Record<string, unknown>>;

export type Faults = Readonly<Record<string, unknown>>;

export interface Started {
  readonly url: string;
  /** The address of the control surface, if it differs. */
  readonly controlUrl?: string;
  close(): Promise<void>;
}

export interface Surroundings {
  /** The gateway's address for notifications: `…/rail-notifications`. */
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
  /** The variable with the provider's address for payouts. */
  readonly address: string;
  readonly gatewayVariables: (url: string) => Readonly<Record<string, string>>;
  readonly start: (surroundings: Surroundings, delays: Delays) => Promise<Started>;
  /** The gateway's additional variables. */
  readonly variables?: (folder: string) => EnvironmentVariables;
  /** The preparation before the first payout. */
  readonly prepare?: (url: string, folder: string, control: AskSimulator) => Promise<unknown>;
  /** All its faults by default: no amount is magic, and a payout is executed, immediately where possible. */
  readonly usual: Faults;
  /** Fields of a line of the book: the payout's id, our name of it, and how often it was paid. */
  readonly id: string;
  readonly name: string;
  readonly named: (payout: NamedPayout) => string;
  readonly paid: (line: BookLine) => number;
  /** The delays in tests that kill the gateway: long enough to see a payout wait. */
  readonly killDelays: Delays;
  /** The faults in those tests, where it would otherwise notify of a payout whose final state it has already returned. */
  readonly quiet?: Faults;
  /** Its part in the drill of a restore: some payouts are in flight at any loss of the database. */
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
  /** Long enough to see a payout wait. */
  settleMs: 3_000,
  /** Applies two or three times before the end. */
  stepMs: 600,
  /** Longer than Visa waits before it responds that it has not finished. */
  unfinishedMs: 6_000,
  holdMs: 30_000,
  lateMs: 300,
  notifyMs: 20,
} as const;
