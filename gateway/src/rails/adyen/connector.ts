/** Opens the connections to Adyen with their limits, and builds the rail's ports on them. */
import { CONNECTIONS_TO_RECONCILE, type Connector, type ConnectorParts } from '../kit/connector.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { type AdyenConfiguration, adyenConfiguration } from './configuration.ts';
import { createAdyenNotifications } from './notifications.ts';
import { ADYEN_CONCURRENCY, ADYEN_LARGEST_ANSWER_BYTES, createAdyenPaymentRail } from './payment-rail.ts';
import { ADYEN_LARGEST_REPORT_BYTES, createAdyenRefundLister } from './refund-lister.ts';

export const adyen = defineRail(adyenConfiguration, { connect: connectAdyen });

function connectAdyen(configuration: AdyenConfiguration, { hooks, clock }: ConnectorParts): Connector {
  const limits = { connections: ADYEN_CONCURRENCY, largestAnswerBytes: ADYEN_LARGEST_ANSWER_BYTES };
  const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
  const { reports } = configuration;
  const reportLimits = { connections: CONNECTIONS_TO_RECONCILE, largestAnswerBytes: ADYEN_LARGEST_REPORT_BYTES };
  const reportHttp = reports && createProviderHttp({ baseUrl: reports.url, ...reportLimits });
  return {
    paymentRail: createAdyenPaymentRail(configuration, { http, hooks, clock }),
    notifications: createAdyenNotifications(configuration),
    ...(reportHttp ? { refundLister: createAdyenRefundLister(configuration, reports, reportHttp) } : {}),
    connections: reportHttp ? [http, reportHttp] : [http],
  };
}
