/** How the stand-in bank is reached: its connections and their bounds, and what the gateway can do through them. */
import type { Connector, ConnectorParts } from '../connector.ts';
import { createProviderHttp } from '../provider-http.ts';
import type { StandInBankConfiguration } from './configuration.ts';
import { createStandInBankNotifications } from './notifications.ts';
import { createStandInBankRail, STAND_IN_BANK_CONCURRENCY } from './payout-rail.ts';

export function connectStandInBank(configuration: StandInBankConfiguration, { hooks }: ConnectorParts): Connector {
  const http = createProviderHttp({ baseUrl: configuration.url, connections: STAND_IN_BANK_CONCURRENCY });
  return {
    payoutRail: createStandInBankRail(configuration, http, hooks),
    notifications: createStandInBankNotifications(configuration),
    connections: [http],
  };
}
