/**
 * A provider that sends payouts, as the row of a table: how its simulator is started for a test, by which variables a gateway
 * finds it, its faults with which payouts end by themselves, and how its book is read. The `provider-under-test.ts` of a
 * rail's folder holds the row. Gateway and simulator know each other by the defaults of development.
 */
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import type { CommonSettings, SimulatorDefinition } from '../../../rail-simulators/src/kernel/simulator-definition.ts';
import type { EnvironmentVariables } from '../../src/main/config/config.ts';
import type { AskSimulator } from './simulator-control.ts';

/** What a provider's book may know a payout by. */
export interface NamedPayout {
  readonly reference: string;
}

/** A line of a provider's book. */
export type BookLine = Readonly<Record<string, unknown>>;

export type Faults = Readonly<Record<string, unknown>>;

export interface Started {
  readonly url: string;
  /** Where it is controlled, if elsewhere. */
  readonly controlUrl?: string;
  close(): Promise<void>;
}

export interface Surroundings {
  /** Where a gateway is told: `…/rail-notifications`. */
  readonly notifications: string;
  /** Of its own, for certificates and keys. */
  readonly folder: string;
}

/** How long a provider takes over what it does by itself. */
export type DelaysTo<Start extends (options: never) => unknown> = Parameters<Start>[0] extends {
  readonly delays?: infer Delays;
}
  ? NonNullable<Delays>
  : never;

export interface PayoutProviderRow<Delays> {
  readonly simulator: SimulatorDefinition<CommonSettings>;
  /** The variable that says where the provider is; what follows its address. */
  readonly address: string;
  readonly prefix: string;
  readonly start: (surroundings: Surroundings, delays: Delays) => Promise<Started>;
  /** The gateway's further variables. */
  readonly variables?: (folder: string) => EnvironmentVariables;
  /** What has to be done before anybody is paid. */
  readonly prepare?: (url: string, folder: string, control: AskSimulator) => Promise<unknown>;
  /** All its faults, where a test asks for no others: no amount is magic, and a payout is executed, at once where it can be. */
  readonly usual: Faults;
  /** Of a line of the book: what tells payouts apart, our name of it, how often it has been paid. */
  readonly id: string;
  readonly name: string;
  readonly named: (payout: NamedPayout) => string;
  readonly paid: (line: BookLine) => number;
  /** How long it takes in tests that kill the gateway: long enough that a payout is seen waiting. */
  readonly killDelays: Delays;
  /** Its faults there, where it would otherwise notify of a payout whose end it has answered. */
  readonly quiet?: Faults;
  /** Its part in the drill of a restore: some payouts are in flight whenever the database is lost. */
  readonly drill: { readonly method: number; readonly delays: Delays };
}

export const EDGE = { host: '127.0.0.1', port: 0, control: true, clock: systemClock, log: () => {} } as const;

/** The defaults of development. The book is kept in memory. */
export function settingsOf<Settings extends CommonSettings>(
  simulator: SimulatorDefinition<Settings>,
  environment: Readonly<Record<string, string>>,
): Omit<Settings, 'bookPath' | 'port'> {
  const { bookPath: _, port: __, ...settings } = simulator.read(environment, '/').settings;
  return settings;
}

export const byReference = ({ reference }: NamedPayout): string => reference;
export const executions = ({ executions: count }: BookLine) => Number(count);

/** For `killDelays`. */
export const KILL_MS = {
  /** Long enough to be seen waiting. */
  settleMs: 3_000,
  /** Twice or three times to the end. */
  stepMs: 600,
  /** Longer than Visa waits before it says that it has not finished. */
  unfinishedMs: 6_000,
  holdMs: 30_000,
  lateMs: 300,
  tellMs: 20,
} as const;
