/** The port through which the command line opens, serves, migrates and checks a gateway. main/ implements it. */

import type { Backups } from '../domain/backup/backups.ts';
import type { DeliverSigned, PlayReceiver } from '../domain/conformance/conformance.ts';
import type { ExamineRequest } from '../domain/signature-doctor/examination.ts';
import type { Clock } from '../foundation/clock.ts';
import type { ProcessCount } from '../foundation/process-count.ts';
import type { Secret } from '../foundation/secret.ts';
import type { ManageApi } from './manage-api.ts';

export const SERVE_ROLES = ['all', 'api', 'worker', 'manage'] as const;
export type ServeRole = (typeof SERVE_ROLES)[number];

/** The result of one check by `gateway doctor`. */
export interface Finding {
  readonly name: string;
  /** True even if the finding only needs attention. */
  readonly ok: boolean;
  /** The finding, as one sentence. */
  readonly found: string;
  /** The remedy. Empty if there is nothing to fix. */
  readonly remedy: string;
}

export interface MigrationReport {
  /** The names of the applied migrations in order. */
  readonly applied: readonly string[];
  /** Names of the tables that were distributed over a cluster. */
  readonly distributed: readonly string[];
}

/** The options that every command accepts. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  /** The URL of a running gateway's management API. If undefined, this process opens the database itself. */
  readonly url?: string;
  readonly tokenFile?: string;
  /** The acting user, if several people share the system's account. Only without `url`. */
  readonly as?: string;
}

export interface OpenedGateway {
  readonly api: ManageApi;
  readonly close: () => Promise<void>;
}

/**
 * Sends a command to a merchant's world in a sandbox, signed with the merchant's key. Throws CommandFailure if the sandbox
 * rejects it.
 */
export type OrderSandbox = (order: {
  /** The URL of the sandbox. */
  readonly url: URL;
  readonly merchantId: string;
  readonly key: Secret;
  readonly order: object;
}) => Promise<Readonly<Record<string, unknown>>>;

/** Opens gateways for a command and receives its output. */
export interface CommandHost {
  open(options: GlobalOptions): Promise<OpenedGateway>;
  /** Serves until the process must stop. `processes` overrides the configured number. */
  serve(role: ServeRole, processes: ProcessCount | undefined): Promise<0 | 1>;
  /** If `distributed` is true, distributes the tables over a cluster. */
  migrate(distributed: boolean): Promise<MigrationReport>;
  /** Returns the version of the gateway, and of the schema that it needs. */
  version(): Promise<string>;
  examineInstallation(): Promise<readonly Finding[]>;
  /** Throws CommandFailure if the configuration is invalid. */
  backups(): Backups;
  /** Resolves when the process must stop. */
  readonly untilStopSignal: () => Promise<void>;
  /** Finds the mistakes in a request's signatures, offline. */
  readonly examineRequest: ExamineRequest;
  /** Sends hostile traffic to a merchant's receiver. Rejects if the merchant's book cannot be read. */
  readonly playReceiver: PlayReceiver;
  readonly deliverSigned: DeliverSigned;
  readonly orderSandbox: OrderSandbox;
  readonly clock: Clock;
  /** Returns a message for a failure that an operator can fix, or undefined for a bug. */
  explain(error: unknown): string | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
