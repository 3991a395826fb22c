/**
 * What STP tells by itself. No signature covers it, so who sends decides: only the configured addresses are believed.
 * An abono is confirmed once it is recorded; one for a CLABE that is none of ours is given back in the answer, and only
 * there. What can't be read is never answered 400, by which STP would give the money back.
 */
import ipaddr from 'ipaddr.js';
import type { NotificationReading, RailNotifications } from '../../domain/payouts/rail-notification.ts';
import type { Clock } from '../../foundation/clock.ts';
import { fail, ok } from '../../foundation/result.ts';
import type { StpConfiguration } from './configuration.ts';
import { ABONO_CONFIRMED, type Abono, abonoReturned, readIncoming } from './incoming-messages.ts';
import { STP, transferOfAbono } from './incoming-transfer.ts';
import { NO_SUCH_ACCOUNT } from './vocabulary.ts';

export function createStpNotifications(configuration: StpConfiguration, clock: Clock): RailNotifications {
  const { allowList, clabePrefix, empresa } = configuration;
  return {
    name: STP,
    malformedStatus: 500,
    read({ body, clientAddress }) {
      if (!isAllowed(clientAddress, allowList)) return fail({ kind: 'unauthentic' });
      const incoming = readIncoming(body);
      if (!incoming.ok) return malformed(incoming.error);
      // No order of ours is under way yet whose state could change.
      if (incoming.value.kind === 'state') return malformed('a change of state of no order of ours');
      const { abono } = incoming.value;
      if (abono.empresa !== empresa) return malformed('empresa');
      return readTransfer(abono, clabePrefix, clock.now());
    },
  };
}

function readTransfer(abono: Abono, clabePrefix: string, now: number): NotificationReading {
  const transfer = transferOfAbono(abono, now);
  const isOurs = abono.cuentaBeneficiario.startsWith(clabePrefix);
  return isOurs
    ? ok({ news: [{ kind: 'received', transfer }], acknowledgement: ABONO_CONFIRMED })
    : ok({ news: [{ kind: 'sent_back', transfer }], acknowledgement: abonoReturned(NO_SUCH_ACCOUNT) });
}

function isAllowed(address: string, allowList: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return allowList.some((entry) => {
    const [network, bits] = ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), undefined];
    if (network.kind() !== from.kind()) return false;
    return from.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128));
  });
}

const malformed = (reason: string): NotificationReading => fail({ kind: 'malformed', reason });
