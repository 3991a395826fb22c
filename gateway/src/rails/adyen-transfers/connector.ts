/** Opens the connections to Adyen's Transfers API with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { probeByBalance, probeByQuery } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { ADYEN_TRANSFERS_LARGEST_ANSWER_BYTES, createTransfersApi } from './api.ts';
import { type AdyenTransfersConfiguration, adyenTransfersConfiguration } from './configuration.ts';
import { createAdyenTransfersFloatReader } from './float-reader.ts';
import { createAdyenTransfersNotifications } from './notifications.ts';
import { createAdyenTransfersPayoutLister } from './payout-lister.ts';
import { createAdyenTransfersPayoutRail } from './payout-rail.ts';
import { DECLINE_REASONS } from './vocabulary.ts';

export const adyenTransfers = defineRail(adyenTransfersConfiguration, {
  connect: connectAdyenTransfers,
  declines: DECLINE_REASONS,
});

function connectAdyenTransfers(
  configuration: AdyenTransfersConfiguration,
  { hooks, clock }: ConnectorParts,
): Connector {
  const http = createProviderHttp({
    baseUrl: configuration.url,
    // One extra for the lister, so that a long list does not delay a payout.
    connections: configuration.concurrency + 1,
    largestAnswerBytes: ADYEN_TRANSFERS_LARGEST_ANSWER_BYTES,
  });
  const api = createTransfersApi(configuration, http, hooks);
  const { balancesUrl } = configuration;
  const balances = balancesUrl === null ? null : createProviderHttp({ baseUrl: balancesUrl, connections: 1 });
  const payoutRail = createAdyenTransfersPayoutRail(configuration, { api, clock });
  const floatReader = balances && createAdyenTransfersFloatReader(configuration, balances);
  return {
    payoutRail,
    payoutLister: createAdyenTransfersPayoutLister(api),
    notifications: createAdyenTransfersNotifications(configuration),
    ...(floatReader && { floatReader }),
    probe: floatReader ? probeByBalance(floatReader) : probeByQuery(payoutRail),
    connections: balances === null ? [http] : [http, balances],
  };
}
