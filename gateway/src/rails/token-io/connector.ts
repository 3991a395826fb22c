/** Opens the connections to Token.io with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { TOKEN_IO_CONCURRENCY, TOKEN_IO_LARGEST_ANSWER_BYTES } from './api.ts';
import { type TokenIoConfiguration, tokenIoConfiguration } from './configuration.ts';
import { createTokenIoNotifications } from './notifications.ts';
import { createTokenIoPaymentRail } from './payment-rail.ts';

export const tokenIo = defineRail(tokenIoConfiguration, { connect: connectTokenIo });

function connectTokenIo(configuration: TokenIoConfiguration, { hooks, clock }: ConnectorParts): Connector {
  const limits = { connections: TOKEN_IO_CONCURRENCY, largestAnswerBytes: TOKEN_IO_LARGEST_ANSWER_BYTES };
  const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
  return {
    paymentRail: createTokenIoPaymentRail(configuration, { http, hooks, clock }),
    notifications: createTokenIoNotifications(configuration),
    connections: [http],
  };
}
