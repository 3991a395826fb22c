/** Opens the connections to DT One with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { probeByBalance } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { createDtOneApi } from './api.ts';
import { type DtOneConfiguration, dtOneConfiguration } from './configuration.ts';
import { createConfirmPayout } from './confirm-payout.ts';
import { createDtOneFloatReader } from './float-reader.ts';
import { createDtOneNotifications } from './notifications.ts';
import { createDtOnePayoutLister, DT_ONE_LARGEST_ANSWER_BYTES } from './payout-lister.ts';
import { createDtOnePayoutRail } from './payout-rail.ts';
import { DECLINE_REASONS } from './vocabulary.ts';

export const dtOne = defineRail(dtOneConfiguration, { connect: connectDtOne, declines: DECLINE_REASONS });

function connectDtOne(configuration: DtOneConfiguration, { hooks, clock }: ConnectorParts): Connector {
  const http = createProviderHttp({
    baseUrl: configuration.url,
    // One extra for the lister and the float reader, so that neither delays a payout.
    connections: configuration.concurrency + 1,
    largestAnswerBytes: DT_ONE_LARGEST_ANSWER_BYTES,
  });
  const api = createDtOneApi(configuration, { http, hooks });
  const floatReader = createDtOneFloatReader(api);
  return {
    payoutRail: createDtOnePayoutRail(configuration, api, clock),
    payoutLister: createDtOnePayoutLister(api),
    floatReader,
    probe: probeByBalance(floatReader),
    notifications: createDtOneNotifications(configuration, createConfirmPayout(api)),
    connections: [http],
  };
}
