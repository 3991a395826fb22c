/** Opens the connections to Freedom Pay with their limits, and builds the rail's ports on them. */
import { CONNECTIONS_TO_RECONCILE, type Connector, type ConnectorParts } from '../kit/connector.ts';
import { probeByBalance } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { type Decline, defineRail } from '../kit/rail-definition.ts';
import { createFreedomPayApi } from './api.ts';
import { type FreedomPayConfiguration, freedomPayConfiguration } from './configuration.ts';
import { createFreedomPayFloatReader } from './float-reader.ts';
import { createFreedomPayNotifications, FREEDOM_PAY_CONFIRMATIONS } from './notifications.ts';
import { createFreedomPayPayoutRail } from './payout-rail.ts';
import { ERRORS } from './refusals.ts';

export const freedomPay = defineRail(freedomPayConfiguration, {
  connect: connectFreedomPay,
  declines: [...ERRORS].flatMap(([reason, error]): Decline[] =>
    error.kind === 'declined' ? [[reason, error.blocked]] : [],
  ),
});

function connectFreedomPay(configuration: FreedomPayConfiguration, { hooks, clock }: ConnectorParts): Connector {
  // One extra for the balance, so that it does not delay a payout.
  const connections = configuration.concurrency + CONNECTIONS_TO_RECONCILE + 1;
  const http = createProviderHttp({ baseUrl: configuration.url, connections });
  // A separate pool, so that a burst of callbacks delays neither.
  const confirmations = createProviderHttp({ baseUrl: configuration.url, connections: FREEDOM_PAY_CONFIRMATIONS });
  const api = createFreedomPayApi(configuration, { http, hooks, clock });
  const confirmingApi = createFreedomPayApi(configuration, { http: confirmations, hooks, clock });
  const floatReader = createFreedomPayFloatReader(api);
  return {
    payoutRail: createFreedomPayPayoutRail(configuration, api),
    floatReader,
    probe: probeByBalance(floatReader),
    notifications: createFreedomPayNotifications(configuration, confirmingApi),
    connections: [http, confirmations],
  };
}
