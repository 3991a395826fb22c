/** Opens the connections to Epoint with their limits, and builds the rail's ports on them. */
import { CONNECTIONS_TO_RECONCILE, type Connector, type ConnectorParts } from '../kit/connector.ts';
import { probeByQuery } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { type Decline, defineRail } from '../kit/rail-definition.ts';
import { type EpointConfiguration, epointConfiguration } from './configuration.ts';
import { createEpointNotifications } from './notifications.ts';
import { createEpointPayoutRail } from './payout-rail.ts';
import { DECLINE_REASONS } from './vocabulary.ts';

export const epoint = defineRail(epointConfiguration, {
  connect: connectEpoint,
  declines: Array.from(DECLINE_REASONS, ([reason, { blockedReason }]): Decline => [reason || 'no code', blockedReason]),
});

function connectEpoint(configuration: EpointConfiguration, { hooks }: ConnectorParts): Connector {
  const http = createProviderHttp({
    baseUrl: configuration.url,
    connections: configuration.concurrency + CONNECTIONS_TO_RECONCILE,
  });
  const payoutRail = createEpointPayoutRail(configuration, { http, hooks });
  return {
    payoutRail,
    probe: probeByQuery(payoutRail),
    notifications: createEpointNotifications(configuration),
    connections: [http],
  };
}
