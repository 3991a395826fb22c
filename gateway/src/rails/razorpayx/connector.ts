/** Opens the connections to RazorpayX with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { probeByBalance } from '../kit/probes.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { createRazorpayXApi } from './api.ts';
import { type RazorpayXConfiguration, razorpayxConfiguration } from './configuration.ts';
import { createRazorpayXFloatReader } from './float-reader.ts';
import { createRazorpayXNotifications } from './notifications.ts';
import { createRazorpayXPayoutLister, RAZORPAYX_LARGEST_ANSWER_BYTES } from './payout-lister.ts';
import { createRazorpayXPayoutRail } from './payout-rail.ts';
import { DECLINE_REASONS } from './vocabulary.ts';

export const razorpayx = defineRail(razorpayxConfiguration, { connect: connectRazorpayX, declines: DECLINE_REASONS });

function connectRazorpayX(configuration: RazorpayXConfiguration, { hooks }: ConnectorParts): Connector {
  const http = createProviderHttp({
    baseUrl: configuration.url,
    // One extra for the lister and the float reader, so that neither delays a payout.
    connections: configuration.concurrency + 1,
    largestAnswerBytes: RAZORPAYX_LARGEST_ANSWER_BYTES,
  });
  const api = createRazorpayXApi(configuration, { http, hooks });
  const floatReader = createRazorpayXFloatReader(configuration, api);
  return {
    payoutRail: createRazorpayXPayoutRail(configuration, api),
    payoutLister: createRazorpayXPayoutLister(configuration, api),
    floatReader,
    probe: probeByBalance(floatReader),
    notifications: createRazorpayXNotifications(configuration),
    connections: [http],
  };
}
