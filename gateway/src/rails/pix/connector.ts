/** Opens the connections to the bank's API Pix with their limits, and builds the rail's ports on them. */
import type { Connector, ConnectorParts } from '../kit/connector.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { createPixApi } from './api.ts';
import { type PixConfiguration, pixConfiguration } from './configuration.ts';
import { createPixNotifications } from './notifications.ts';
import { createPixPaymentRail } from './payment-rail.ts';
import { createPixPreparation } from './preparation.ts';

export const pix = defineRail(pixConfiguration, { connect: connectPix });

function connectPix(configuration: PixConfiguration, { hooks, clock }: ConnectorParts): Connector {
  const bank = createPixApi(configuration, hooks, clock);
  return {
    paymentRail: createPixPaymentRail(configuration, bank, clock),
    notifications: createPixNotifications(configuration),
    preparation: createPixPreparation(configuration, bank),
    connections: [bank],
  };
}
