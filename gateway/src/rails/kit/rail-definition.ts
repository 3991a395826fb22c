/** A rail as the registry lists it: the `configuration.ts` of its folder, and what its `connector.ts` makes of that. */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import type { Environment } from '../../foundation/environment.ts';
import type { Rule, ValuesOf, Variables } from '../../foundation/variables.ts';
import type { Connector, ConnectorParts } from './connector.ts';

/** A rail's variables, the rules between them, and the configuration that they make. */
export interface ConfigurationPart<Own extends Variables, Configuration> {
  /** In payouts, incoming transfers, ledger accounts and the address of its notifications: it never changes. */
  readonly name: string;
  readonly variables: Own;
  /** The variable that switches the rail on; null: it is always on, and no provider stands behind it. */
  readonly isOnWith: (keyof Own & string) | null;
  /** True where the provider calls PUBLIC_URL, or payers come back to it. */
  readonly isReached: boolean;
  /** The variables that list from where notifications are believed without a signature. */
  readonly allowLists?: readonly (keyof Own & string)[];
  readonly rules: readonly Rule<ValuesOf<Own> & OwnAddress>[];
  /** Null: the rail is not configured. The caller has found no fault in the values. */
  configure(values: ValuesOf<Own>, place: RailPlace): Configuration | null;
  keyFiles?(configuration: Configuration): readonly KeyFile[];
}

export interface RailDefinition<Own extends Variables, Configuration>
  extends ConfigurationPart<Own, Configuration>,
    RailConnection<Configuration> {}

interface RailConnection<Configuration> {
  connect(configuration: Configuration, parts: ConnectorParts): Connector;
  /** The provider's reasons to decline a payout, each with the code that ends the payout. */
  readonly declines?: Iterable<Decline>;
}

export type Decline = readonly [reason: string, code: BlockedCode];

export function defineRail<Own extends Variables, Configuration>(
  configuration: ConfigurationPart<Own, Configuration>,
  connection: RailConnection<Configuration>,
): RailDefinition<Own, Configuration> {
  return { ...configuration, ...connection };
}

/** A file that a rail needs. The doctor examines it. */
export interface KeyFile {
  /** The variable that names it. */
  readonly variable: string;
  readonly path: string;
  readonly holds: 'RSA private key' | 'Ed25519 private key' | 'private key' | 'RSA public key' | 'certificate';
  /** The program that makes a missing one; in production it is nobody. */
  readonly maker: 'nobody' | 'gateway' | 'simulator';
}

/** The gateway's own address, as its rules read it. */
export type OwnAddress = Readonly<Record<'PUBLIC_URL' | 'PORT', unknown>>;

export interface RailPlace {
  readonly environment: Environment;
  /** Where providers call us, but for the rail's name behind it. */
  readonly notificationsUrl: string;
}
