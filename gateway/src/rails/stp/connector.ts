/** Opens the connections to STP with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { createQueries } from './api.ts';
import { type StpConfiguration, stpConfiguration } from './configuration.ts';
import { createConfirmAbono, STP_CONFIRMATIONS } from './confirm-abono.ts';
import { createConfirmPayout } from './confirm-payout.ts';
import { createStpDepositRail } from './deposit-rail.ts';
import { createStpNotifications } from './notifications.ts';
import { createStpPayoutRail } from './payout-rail.ts';
import { createStpTransferLister, STP_LARGEST_ANSWER_BYTES } from './transfer-lister.ts';

export const stp = defineRail(stpConfiguration, { connect: connectStp });

function connectStp(configuration: StpConfiguration, { hooks, clock }: ConnectorParts): Connector {
  const orders = createProviderHttp({ baseUrl: configuration.ordersUrl, connections: configuration.concurrency });
  const toQueries = createProviderHttp({
    baseUrl: configuration.url,
    // One extra for the lister, so that a long list does not delay a query about an order.
    connections: configuration.concurrency + 1,
    largestAnswerBytes: STP_LARGEST_ANSWER_BYTES,
  });
  // A separate pool, so that a burst of large abonos does not delay a query about an order.
  const toConfirmations = createProviderHttp({ baseUrl: configuration.url, connections: STP_CONFIRMATIONS });
  const queries = createQueries(toQueries, hooks);
  const confirmations = createQueries(toConfirmations, hooks);
  return {
    payoutRail: createStpPayoutRail(configuration, { orders, queries, hooks, clock }),
    depositRail: createStpDepositRail(configuration),
    transferLister: createStpTransferLister(configuration, queries, clock),
    notifications: createStpNotifications(
      configuration,
      {
        confirmAbono: createConfirmAbono(configuration, confirmations, clock),
        confirmPayout: createConfirmPayout(configuration, confirmations, clock),
      },
      clock,
    ),
    connections: [orders, toQueries, toConfirmations],
  };
}
