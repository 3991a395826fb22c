/** Opens the connections to Visa Direct with their limits, and builds the rail's ports on them. */

import { identityIn } from '../kit/certificate-files.ts';
import { CONNECTIONS_TO_RECONCILE, type Connector, type ConnectorParts } from '../kit/connector.ts';
import { probeByQuery } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { createVisaApi } from './api.ts';
import { type VisaDirectConfiguration, visaDirectConfiguration } from './configuration.ts';
import { createVisaDirectPayoutRail, VISA_DIRECT_LARGEST_ANSWER_BYTES } from './payout-rail.ts';
import { DECLINE_REASONS } from './vocabulary.ts';

export const visaDirect = defineRail(visaDirectConfiguration, {
  connect: connectVisaDirect,
  declines: DECLINE_REASONS,
});

function connectVisaDirect(
  configuration: VisaDirectConfiguration,
  { hooks, clock, random }: ConnectorParts,
): Connector {
  const http = createProviderHttp({
    baseUrl: configuration.url,
    connections: configuration.concurrency + CONNECTIONS_TO_RECONCILE,
    largestAnswerBytes: VISA_DIRECT_LARGEST_ANSWER_BYTES,
    identify: () => identityIn(configuration),
  });
  const api = createVisaApi(configuration, { http, hooks, clock, random });
  const payoutRail = createVisaDirectPayoutRail(configuration, { api, clock });
  return { payoutRail, probe: probeByQuery(payoutRail), connections: [http] };
}
