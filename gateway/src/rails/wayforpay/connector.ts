/** Opens the connections to WayForPay with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { probeByBalance } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { type Decline, defineRail } from '../kit/rail-definition.ts';
import { type WayForPayConfiguration, wayforpayConfiguration } from './configuration.ts';
import { createWayForPayFloatReader } from './float-reader.ts';
import { createWayForPayNotifications } from './notifications.ts';
import { createWayForPayPayoutLister, WAYFORPAY_LARGEST_LIST_BYTES } from './payout-lister.ts';
import { createWayForPayPayoutRail } from './payout-rail.ts';
import { DECLINE_REASONS } from './vocabulary.ts';

export const wayforpay = defineRail(wayforpayConfiguration, {
  connect: connectWayForPay,
  declines: Array.from(DECLINE_REASONS, ([reason, { blockedReason }]): Decline => [reason, blockedReason]),
});

function connectWayForPay(configuration: WayForPayConfiguration, { hooks, clock }: ConnectorParts): Connector {
  // One more than the payouts in flight, so that a query of the float never waits for them.
  const http = createProviderHttp({ baseUrl: configuration.url, connections: configuration.concurrency + 1 });
  const limits = { connections: 1, largestAnswerBytes: WAYFORPAY_LARGEST_LIST_BYTES };
  const lists = createProviderHttp({ baseUrl: configuration.url, ...limits });
  const floatReader = createWayForPayFloatReader(configuration, http);
  return {
    payoutRail: createWayForPayPayoutRail(configuration, { http, hooks }),
    payoutLister: createWayForPayPayoutLister(configuration, lists),
    floatReader,
    probe: probeByBalance(floatReader),
    notifications: createWayForPayNotifications(configuration, clock),
    connections: [http, lists],
  };
}
