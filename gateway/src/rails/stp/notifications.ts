/**
 * Decides about STP's notifications. No signature covers them, so the sender's address authenticates them: only the
 * configured addresses are accepted. STP's own query must confirm an abono above the configured amount, and the end of
 * an order of ours.
 *
 * The gateway confirms an abono after recording it. It sends an abono for a CLABE that is not ours back in the response, and only
 * there, unless it is a returned order of ours. It acknowledges a state change without effect, so that STP does not
 * repeat it. It must never return 400 to an unreadable message, because STP would return the money.
 *
 * Not confirmed: whether STP repeats a state change that was not acknowledged, and whether folioOrigen is always
 * present. If it is missing, the gateway takes the claveRastreo, which some clients show in addition.
 */
import type { NotificationReading, RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { isInNetworks } from '../../foundation/networks.ts';
import { fail, ok } from '../../foundation/result.ts';
import { malformed } from '../kit/rail-answers.ts';
import { STP, type StpConfiguration } from './configuration.ts';
import type { ConfirmAbono } from './confirm-abono.ts';
import type { ConfirmPayout } from './confirm-payout.ts';
import { transferOfAbono } from './incoming-transfer.ts';
import {
  ABONO_CONFIRMED,
  type Abono,
  abonoReturned,
  readIncoming,
  STATE_RECEIVED,
  type StateChange,
} from './notification-messages.ts';
import { referenceOf, trackingKeyOf } from './reference.ts';
import { endOf, NO_SUCH_ACCOUNT } from './vocabulary.ts';

/** The queries by which STP confirms messages that nothing else authenticates. */
interface StpConfirmations {
  readonly confirmAbono: ConfirmAbono;
  readonly confirmPayout: ConfirmPayout;
}

export function createStpNotifications(
  configuration: StpConfiguration,
  { confirmAbono, confirmPayout }: StpConfirmations,
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
      const notified = message.kind === 'state' ? message.change : message.abono;
      if (notified.empresa !== empresa) return malformed('empresa');
      return message.kind === 'state'
        ? readChange(message.change, confirmPayout)
        : readTransfer(message.abono, configuration, confirmAbono, clock.now());
    },
  };
}

/** STP's state change states no amount. An order that someone made manually at STP has no reference of ours. */
function readChange(change: StateChange, confirmPayout: ConfirmPayout): NotificationReading {
  const reference = referenceOf(change.folioOrigen) ?? referenceOf(change.claveRastreo);
  const end = endOf(change);
  if (reference === undefined || !end) return ok({ news: [], acknowledgement: STATE_RECEIVED });
  const news = [{ ...end, reference, money: null, ask: confirmPayout(trackingKeyOf(reference), end.kind) }];
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
      news: [{ kind: 'sent_back', transfer, ifReceived: ABONO_CONFIRMED }],
      acknowledgement: abonoReturned(NO_SUCH_ACCOUNT),
    });
  }
  const ask = abono.money.minor > confirmAbove ? { ask: confirmAbono(abono) } : {};
  return ok({ news: [{ kind: 'received', transfer, ...ask }], acknowledgement: ABONO_CONFIRMED });
}
