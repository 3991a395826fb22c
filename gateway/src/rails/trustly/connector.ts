/** Opens the connections to Trustly with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { createTrustlyCall } from './api.ts';
import { type TrustlyConfiguration, trustlyConfiguration } from './configuration.ts';
import { createTrustlyNotifications } from './notifications.ts';
import { createTrustlyPaymentRail, TRUSTLY_CONCURRENCY } from './payment-rail.ts';
import { TRUSTLY_LARGEST_ANSWER_BYTES } from './queries.ts';
import { createTrustlyRefundLister } from './refund-lister.ts';

export const trustly = defineRail(trustlyConfiguration, { connect: connectTrustly });

function connectTrustly(configuration: TrustlyConfiguration, { hooks, clock }: ConnectorParts): Connector {
  const limits = { connections: TRUSTLY_CONCURRENCY, largestAnswerBytes: TRUSTLY_LARGEST_ANSWER_BYTES };
  const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
  const refundLister = () => createTrustlyRefundLister(configuration, createTrustlyCall(configuration, http), clock);
  return {
    paymentRail: createTrustlyPaymentRail(configuration, { http, hooks, clock }),
    notifications: createTrustlyNotifications(configuration),
    ...(configuration.settlesDaily ? { refundLister: refundLister() } : {}),
    connections: [http],
  };
}
