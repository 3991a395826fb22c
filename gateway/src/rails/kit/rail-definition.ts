/** A rail as the registry lists it: the `configuration.ts` of its folder, and what its `connector.ts` creates from it. */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import type { Environment } from '../../foundation/environment.ts';
import type { Needed, Rule, ValuesOf, Variables } from '../../foundation/variables.ts';
import type { Connector, ConnectorParts } from './connector.ts';

/** A rail's variables, the rules between them, and the configuration that the gateway derives from them. */
export interface ConfigurationPart<Own extends Variables, Configuration> {
  /** The name in payouts, incoming transfers, ledger accounts and the notification URL. It must never change. */
  readonly name: string;
  readonly variables: Own;
  /** The variable that enables the rail. Null for a rail that is always enabled and has no provider. */
  readonly isOnWith: (keyof Own & string) | null;
  /** The variables that an enabled rail requires. */
  readonly needed: Needed;
  /** True if the provider calls PUBLIC_URL, or payers return to it. */
  readonly isReached: boolean;
  /** The variables with the allow-lists of addresses for unsigned notifications. */
  readonly allowLists?: readonly (keyof Own & string)[];
  readonly rules: readonly Rule<ValuesOf<Own> & OwnAddress>[];
  /** Returns null if the rail is not configured. The caller must have validated the values. */
  configure(values: ValuesOf<Own>, place: RailPlace): Configuration | null;
  keyFiles?(configuration: Configuration): readonly KeyFile[];
}

export interface RailDefinition<Own extends Variables, Configuration>
  extends ConfigurationPart<Own, Configuration>,
    RailConnection<Configuration> {}

interface RailConnection<Configuration> {
  connect(configuration: Configuration, parts: ConnectorParts): Connector;
  /** The provider's reasons to decline a payout, each with our reason for the blocked payout. */
  readonly declines?: Iterable<Decline>;
}

export type Decline = readonly [reason: string, ours: BlockedReason];

export function defineRail<Own extends Variables, Configuration>(
  configuration: ConfigurationPart<Own, Configuration>,
  connection: RailConnection<Configuration>,
): RailDefinition<Own, Configuration> {
  return { ...configuration, ...connection };
}

/** A file that a rail needs. The `doctor` command checks it. */
export interface KeyFile {
  /** The variable that holds the path. */
  readonly variable: string;
  readonly path: string;
  readonly holds: 'RSA private key' | 'Ed25519 private key' | 'private key' | 'RSA public key' | 'certificate';
  /** The program that creates a missing file. In production, no program does. */
  readonly maker: 'nobody' | 'gateway' | 'simulator';
}

/** The gateway's public address, in the form that the rails' rules use. */
export type OwnAddress = Readonly<Record<'PUBLIC_URL' | 'PORT', unknown>>;

export interface RailPlace {
  readonly environment: Environment;
  /** The start of each notification URL; the rail's name follows it. */
  readonly notificationsUrl: string;
}
