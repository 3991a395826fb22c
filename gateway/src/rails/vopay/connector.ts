/** Opens the connections to VoPay with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { probeByBalance } from '../kit/probes.ts';
import { createProviderHttp, type ProviderHttp } from '../kit/provider-http.ts';
import { type Decline, defineRail } from '../kit/rail-definition.ts';
import { createVoPayApi } from './api.ts';
import { type VoPayConfiguration, vopayConfiguration } from './configuration.ts';
import { createConfirmPayout, VOPAY_CONFIRMATIONS } from './confirm-payout.ts';
import { createVoPayFloatReader } from './float-reader.ts';
import { createVoPayNotifications } from './notifications.ts';
import { createVoPayPaymentRail, VOPAY_CONCURRENCY } from './payment-rail.ts';
import { createVoPayPayoutLister, VOPAY_LARGEST_LIST_BYTES } from './payout-lister.ts';
import { createVoPayPayoutRail } from './payout-rail.ts';
import { PAYOUT_ENDINGS } from './vocabulary.ts';

export const vopay = defineRail(vopayConfiguration, {
  connect: connectVoPay,
  declines: Array.from(PAYOUT_ENDINGS, ([reason, [code]]): Decline => [reason, code]),
});

function connectVoPay(configuration: VoPayConfiguration, { hooks, clock }: ConnectorParts): Connector {
  const baseUrl = configuration.url;
  // Separate pools, so that payouts and lists never delay a payer, who waits for the first request.
  const http = createProviderHttp({ baseUrl, connections: VOPAY_CONCURRENCY });
  const payouts = createProviderHttp({ baseUrl, connections: configuration.concurrency });
  const confirmations = createProviderHttp({ baseUrl, connections: VOPAY_CONFIRMATIONS });
  const lists = createProviderHttp({ baseUrl, connections: 2, largestAnswerBytes: VOPAY_LARGEST_LIST_BYTES });
  const apiOver = (own: ProviderHttp) => createVoPayApi(configuration, { http: own, hooks, clock });
  const floatReader = createVoPayFloatReader(apiOver(lists));
  return {
    paymentRail: createVoPayPaymentRail(configuration, apiOver(http), clock),
    payoutRail: createVoPayPayoutRail(configuration, apiOver(payouts), clock),
    payoutLister: createVoPayPayoutLister(apiOver(lists)),
    floatReader,
    probe: probeByBalance(floatReader),
    notifications: createVoPayNotifications(configuration, createConfirmPayout(apiOver(confirmations))),
    connections: [http, payouts, confirmations, lists],
  };
}
