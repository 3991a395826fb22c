/**
 * What STP tells by itself. No signature covers it, so who sends decides: only the configured addresses are believed, and
 * an abono above the configured amount, or the end of an order of ours, not before STP, asked, says the same.
 * An abono is confirmed once it is recorded; one for a CLABE that is none of ours is given back in the answer, and only
 * there, unless it is an order of ours that came back. A change of state from which nothing follows for any payout of
 * ours is received all the same, so that STP does not repeat it. What can't be read is never answered 400, by which STP
 * would give the money back.
 *
 * Not confirmed: whether STP repeats a change of state that is not received, and whether its folioOrigen is always there;
 * the claveRastreo, which some clients show beside it, is taken where it is missing.
 */
import type { NotificationReading, RailNotifications } from '../../domain/rails/rail-notification.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { isInNetworks } from '../../foundation/networks.ts';
import { fail, ok } from '../../foundation/result.ts';
import { STP, type StpConfiguration } from './configuration.ts';
import type { ConfirmAbono } from './confirm-abono.ts';
import type { ConfirmOrder } from './confirm-order.ts';
import {
  ABONO_CONFIRMED,
  type Abono,
  abonoReturned,
  readIncoming,
  STATE_RECEIVED,
  type StateChange,
} from './incoming-messages.ts';
import { transferOfAbono } from './incoming-transfer.ts';
import { referenceOf, trackingKeyOf } from './order-reference.ts';
import { endOf, NO_SUCH_ACCOUNT } from './vocabulary.ts';

/** STP's own word, for what nothing else vouches for. */
export interface StpConfirmations {
  readonly confirmAbono: ConfirmAbono;
  readonly confirmOrder: ConfirmOrder;
}

export function createStpNotifications(
  configuration: StpConfiguration,
  { confirmAbono, confirmOrder }: StpConfirmations,
  clock: Clock,
): RailNotifications {
  const { allowList, empresa } = configuration;
  return {
    name: STP,
    malformedStatus: 500,
    read({ body, clientAddress }) {
      if (!isInNetworks(clientAddress, allowList)) return fail({ kind: 'unauthentic' });
      const incoming = readIncoming(body);
      if (!incoming.ok) return malformed(incoming.error);
      const message = incoming.value;
      const told = message.kind === 'state' ? message.change : message.abono;
      if (told.empresa !== empresa) return malformed('empresa');
      return message.kind === 'state'
        ? readChange(message.change, confirmOrder)
        : readTransfer(message.abono, configuration, confirmAbono, clock.now());
    },
  };
}

/** STP names no amount. An order that somebody made by hand at STP has no reference of ours. */
function readChange(change: StateChange, confirmOrder: ConfirmOrder): NotificationReading {
  const reference = referenceOf(change.folioOrigen) ?? referenceOf(change.claveRastreo);
  const end = endOf(change);
  if (reference === undefined || !end) return ok({ news: [], acknowledgement: STATE_RECEIVED });
  const news = [{ ...end, reference, money: null, ask: confirmOrder(trackingKeyOf(reference), end.kind) }];
  return ok({ news, acknowledgement: STATE_RECEIVED });
}

function readTransfer(
  abono: Abono,
  { clabePrefix, confirmAbove }: StpConfiguration,
  confirmAbono: ConfirmAbono,
  now: Instant,
): NotificationReading {
  const transfer = transferOfAbono(abono, now);
  const isOurs = abono.isReturnedOrder || abono.cuentaBeneficiario.startsWith(clabePrefix);
  if (!isOurs) {
    return ok({
      news: [{ kind: 'sent_back', transfer, ifTaken: ABONO_CONFIRMED }],
      acknowledgement: abonoReturned(NO_SUCH_ACCOUNT),
    });
  }
  const ask = abono.money.minor > confirmAbove ? { ask: confirmAbono(abono) } : {};
  return ok({ news: [{ kind: 'received', transfer, ...ask }], acknowledgement: ABONO_CONFIRMED });
}

const malformed = (reason: string): NotificationReading => fail({ kind: 'malformed', reason });
