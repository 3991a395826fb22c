/** Opens the connections to Mastercard Send with their limits, and builds the rail's ports on them. */
import { CONNECTIONS_TO_RECONCILE, type Connector, type ConnectorParts } from '../kit/connector.ts';
import { probeByQuery } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { type MastercardSendConfiguration, mastercardSendConfiguration } from './configuration.ts';
import { createMastercardSendPayoutRail } from './payout-rail.ts';
import { DECLINE_REASONS } from './vocabulary.ts';

export const mastercardSend = defineRail(mastercardSendConfiguration, {
  connect: connectMastercardSend,
  declines: DECLINE_REASONS,
});

function connectMastercardSend(
  configuration: MastercardSendConfiguration,
  { hooks, clock, random }: ConnectorParts,
): Connector {
  const connections = configuration.concurrency + CONNECTIONS_TO_RECONCILE;
  const http = createProviderHttp({ baseUrl: configuration.url, connections });
  const payoutRail = createMastercardSendPayoutRail(configuration, { http, hooks, clock, random });
  return {
    payoutRail,
    probe: probeByQuery(payoutRail),
    connections: [http],
  };
}
