/**
 * The one list of rails: which are configured decides which are made. Beside the configuration, no other file of the
 * gateway names a rail.
 */
import { connectAdyen } from './adyen/connector.ts';
import { connectAdyenTransfers } from './adyen-transfers/connector.ts';
import { connectDtOne } from './dt-one/connector.ts';
import { connectEpoint } from './epoint/connector.ts';
import { connectFreedomPay } from './freedom-pay/connector.ts';
import type { Connect, Connector, ConnectorParts } from './kit/connector.ts';
import { connectMastercardSend } from './mastercard-send/connector.ts';
import { connectPix } from './pix/connector.ts';
import { connectRazorpayX } from './razorpayx/connector.ts';
import { connectSandbox } from './sandbox/connector.ts';
import { connectStp } from './stp/connector.ts';
import { connectTokenIo } from './token-io/connector.ts';
import { connectTrustly } from './trustly/connector.ts';
import { connectVisaDirect } from './visa-direct/connector.ts';
import { connectVoPay } from './vopay/connector.ts';
import { connectWayForPay } from './wayforpay/connector.ts';

/** A payout's method goes to the first that carries it: a card's own network stands before whoever carries both. */
const REGISTRY = {
  sandbox: connectSandbox,
  wayforpay: connectWayForPay,
  epoint: connectEpoint,
  razorpayx: connectRazorpayX,
  dtOne: connectDtOne,
  freedomPay: connectFreedomPay,
  vopay: connectVoPay,
  visaDirect: connectVisaDirect,
  mastercardSend: connectMastercardSend,
  adyenTransfers: connectAdyenTransfers,
  stp: connectStp,
  adyen: connectAdyen,
  pix: connectPix,
  trustly: connectTrustly,
  tokenIo: connectTokenIo,
} as const;

type RailKey = keyof typeof REGISTRY;

/** Null: this gateway runs without that rail, and its methods are unavailable. */
export type RailsConfiguration = { readonly [Key in RailKey]: Parameters<(typeof REGISTRY)[Key]>[0] | null };

type Port = Exclude<keyof Connector, 'connections'>;
type Ports<Name extends Port> = readonly NonNullable<Connector[Name]>[];

/** In the registry's order. */
export interface Rails {
  readonly payoutRails: Ports<'payoutRail'>;
  readonly payoutListers: Ports<'payoutLister'>;
  readonly floatReaders: Ports<'floatReader'>;
  readonly notifications: Ports<'notifications'>;
  readonly depositRails: Ports<'depositRail'>;
  readonly transferListers: Ports<'transferLister'>;
  readonly paymentRails: Ports<'paymentRail'>;
  readonly preparations: Ports<'preparation'>;
  /** Closes the connections once nothing is under way on them. */
  close(): Promise<void>;
}

export function createRails(configuration: RailsConfiguration, parts: ConnectorParts): Rails {
  const keys = Object.keys(REGISTRY) as RailKey[];
  const connectors = keys.flatMap((key): readonly Connector[] => {
    const own = configuration[key];
    return own === null ? [] : [(REGISTRY[key] as Connect<typeof own>)(own, parts)];
  });
  return {
    payoutRails: connectors.flatMap(({ payoutRail }) => payoutRail ?? []),
    payoutListers: connectors.flatMap(({ payoutLister }) => payoutLister ?? []),
    floatReaders: connectors.flatMap(({ floatReader }) => floatReader ?? []),
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
