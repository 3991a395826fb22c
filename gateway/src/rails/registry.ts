/** The list of all rails. The gateway derives its variables, rules, configuration and connectors from it. */
import { needs, type Rule, type ValuesOf, type Variables } from '../foundation/variables.ts';
import { adyen } from './adyen/connector.ts';
import { adyenTransfers } from './adyen-transfers/connector.ts';
import { dtOne } from './dt-one/connector.ts';
import { epoint } from './epoint/connector.ts';
import { freedomPay } from './freedom-pay/connector.ts';
import type { Connector, ConnectorParts } from './kit/connector.ts';
import type { KeyFile, OwnAddress, RailDefinition, RailPlace } from './kit/rail-definition.ts';
import { mastercardSend } from './mastercard-send/connector.ts';
import { pix } from './pix/connector.ts';
import { razorpayx } from './razorpayx/connector.ts';
import { sandbox } from './sandbox/connector.ts';
import { stp } from './stp/connector.ts';
import { tokenIo } from './token-io/connector.ts';
import { trustly } from './trustly/connector.ts';
import { visaDirect } from './visa-direct/connector.ts';
import { vopay } from './vopay/connector.ts';
import { wayforpay } from './wayforpay/connector.ts';

/** A method goes to the first rail that carries it. A card's own network precedes rails that carry several networks. */
export const RAILS = {
  sandbox,
  wayforpay,
  epoint,
  razorpayx,
  dtOne,
  freedomPay,
  vopay,
  visaDirect,
  mastercardSend,
  adyenTransfers,
  stp,
  adyen,
  pix,
  trustly,
  tokenIo,
} as const;

export const RAIL_NAMES: readonly string[] = Object.values(RAILS).map(({ name }) => name);

type RailKey = keyof typeof RAILS;

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type RailVariables = Intersection<(typeof RAILS)[RailKey]['variables']>;

/** The variables of every rail. */
export const RAIL_VARIABLES: RailVariables = Object.assign(
  {},
  ...Object.values(RAILS).map(({ variables }) => variables),
);

type RailValues = ValuesOf<RailVariables>;

export const RAIL_RULES = Object.values(RAILS).flatMap(
  ({ isOnWith, needed, rules }): readonly Rule<RailValues & OwnAddress>[] =>
    isOnWith === null ? rules : [...rules, needs(isOnWith, ...needed)],
);

/** The configuration of each rail. If null, this gateway runs without the rail, and the rail's methods are unavailable. */
export type RailsConfiguration = {
  readonly [Key in RailKey]: ReturnType<(typeof RAILS)[Key]['configure']>;
};

/** The caller must have validated the values. */
export function configureRails(values: RailValues, place: RailPlace): RailsConfiguration {
  const configured = Object.entries(RAILS).map(([key, { configure }]) => [
    key,
    Object.freeze(configure(values, place)),
  ]);
  return Object.freeze(Object.fromEntries(configured) as RailsConfiguration);
}

interface ConfiguredRail {
  readonly definition: Omit<RailDefinition<Variables, unknown>, 'rules'>;
  readonly configuration: NonNullable<RailsConfiguration[RailKey]>;
}

/** Returns the rails in the registry's order. */
export function configuredRails(rails: RailsConfiguration): readonly ConfiguredRail[] {
  return (Object.keys(RAILS) as RailKey[]).flatMap((key) => {
    const configuration = rails[key];
    return configuration === null ? [] : [{ definition: RAILS[key], configuration }];
  });
}

export function keyFilesOf(rails: RailsConfiguration): readonly KeyFile[] {
  return configuredRails(rails).flatMap(({ definition, configuration }) => definition.keyFiles?.(configuration) ?? []);
}

type Port = Exclude<keyof Connector, 'connections'>;
type Ports<Name extends Port> = readonly NonNullable<Connector[Name]>[];

/** The rails in the registry's order. */
export interface Rails {
  readonly payoutRails: Ports<'payoutRail'>;
  readonly payoutListers: Ports<'payoutLister'>;
  readonly refundListers: Ports<'refundLister'>;
  readonly floatReaders: Ports<'floatReader'>;
  readonly probes: Ports<'probe'>;
  readonly notifications: Ports<'notifications'>;
  readonly depositRails: Ports<'depositRail'>;
  readonly transferListers: Ports<'transferLister'>;
  readonly paymentRails: Ports<'paymentRail'>;
  readonly preparations: Ports<'preparation'>;
  /** Closes the connections after the requests in flight have ended. */
  close(): Promise<void>;
}

export function createRails(configuration: RailsConfiguration, parts: ConnectorParts): Rails {
  const connectors = configuredRails(configuration).map(
    ({ definition, configuration: own }): Connector => definition.connect(own, parts),
  );
  return {
    payoutRails: connectors.flatMap(({ payoutRail }) => payoutRail ?? []),
    payoutListers: connectors.flatMap(({ payoutLister }) => payoutLister ?? []),
    refundListers: connectors.flatMap(({ refundLister }) => refundLister ?? []),
    floatReaders: connectors.flatMap(({ floatReader }) => floatReader ?? []),
    probes: connectors.flatMap(({ probe }) => probe ?? []),
    notifications: connectors.flatMap(({ notifications }) => notifications ?? []),
    depositRails: connectors.flatMap(({ depositRail }) => depositRail ?? []),
    transferListers: connectors.flatMap(({ transferLister }) => transferLister ?? []),
    paymentRails: connectors.flatMap(({ paymentRail }) => paymentRail ?? []),
    preparations: connectors.flatMap(({ preparation }) => preparation ?? []),
    async close() {
      await Promise.all(
        connectors.flatMap(({ connections = [] }) => connections.map((connection) => connection.close())),
      );
    },
  };
}
