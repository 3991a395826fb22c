/** The surroundings of the command line: it opens, serves, migrates and checks a gateway. main/ implements it. */

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
  /** True even for a finding that only needs attention. */
  readonly ok: boolean;
  /** The finding, as one sentence. */
  readonly found: string;
  /** The remedy; empty when there is nothing to fix. */
  readonly remedy: string;
}

export interface MigrationReport {
  /** Names of migrations, in order. */
  readonly applied: readonly string[];
  /** Names of the tables that were distributed over a cluster. */
  readonly distributed: readonly string[];
}

/** The options that every command accepts. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  /** The management API of a running gateway. If undefined, this process opens the database itself. */
  readonly url?: string;
  readonly tokenFile?: string;
  /** The user who acts, if several people share the system's user. Only without `url`. */
  readonly as?: string;
}

export interface OpenedGateway {
  readonly api: ManageApi;
  readonly close: () => Promise<void>;
}

/** An order to the world of a merchant in a sandbox, signed with the merchant's key. Throws CommandFailure with its refusal. */
export type OrderSandbox = (order: {
  /** The address of the sandbox. */
  readonly url: URL;
  readonly merchantId: string;
  readonly key: Secret;
  readonly order: object;
}) => Promise<Readonly<Record<string, unknown>>>;

/** The surroundings of a command: it opens gateways and receives the output. */
export interface CommandHost {
  open(options: GlobalOptions): Promise<OpenedGateway>;
  /** Serves until the process must stop. `processes` overrides the configured number. */
  serve(role: ServeRole, processes: ProcessCount | undefined): Promise<0 | 1>;
  /** `distributed`: distribute the tables over a cluster. */
  migrate(distributed: boolean): Promise<MigrationReport>;
  /** Returns the version of the gateway, and of the schema that it needs. */
  version(): Promise<string>;
  examineInstallation(): Promise<readonly Finding[]>;
  /** Throws CommandFailure when the configuration is invalid. */
  backups(): Backups;
  /** Resolves when the process must stop. */
  readonly untilStopSignal: () => Promise<void>;
  /** Names the mistakes in the signatures of a request, offline. */
  readonly examineRequest: ExamineRequest;
  /** Sends hostile traffic to a merchant's receiver. Rejects when the merchant's book cannot be read. */
  readonly playReceiver: PlayReceiver;
  readonly deliverSigned: DeliverSigned;
  readonly orderSandbox: OrderSandbox;
  readonly clock: Clock;
  /** Returns the sentence for a failure that an operator can fix; undefined for a bug. */
  explain(error: unknown): string | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
