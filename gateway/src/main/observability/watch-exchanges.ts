/** Records the exchanges of each rail call about a payment. It changes no call or response. */

import { EXCHANGES_PER_CALL, type ExchangeLog } from '../../domain/exchanges/exchange-log.ts';
import type { WireExchange } from '../../domain/exchanges/exchange-store.ts';
import type { PaymentRail } from '../../domain/payments/payment-rail.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { Clock } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { watchExchanges } from '../../rails/kit/exchange-watch.ts';
import type { Rails } from '../../rails/registry.ts';

type Call<Order, Rest extends readonly unknown[], Answer> = (order: Order, ...rest: Rest) => Promise<Answer>;

export function withExchangeLog(rails: Rails, log: Pick<ExchangeLog, 'record'>, clock: Clock): Rails {
  const watched =
    <Order extends { readonly reference: string }, Rest extends readonly unknown[], Answer extends { kind: string }>(
      rail: string,
      call: string,
      perform: Call<Order, Rest, Answer>,
      shown: (exchange: WireExchange) => WireExchange = (exchange) => exchange,
    ): Call<Order, Rest, Answer> =>
    async (order, ...rest) => {
      const exchanges: WireExchange[] = [];
      const at = clock.now();
      const answer = await watchExchanges(
        (exchange) => {
          if (exchanges.length < EXCHANGES_PER_CALL) exchanges.push(shown(exchange));
        },
        () => perform(order, ...rest),
      );
      const durationMs = clock.now() - at;
      log.record({ rail, reference: order.reference, call, answer: answer.kind, at, durationMs, exchanges });
      return answer;
    };
  const payoutRail = (rail: PayoutRail): PayoutRail => ({
    ...rail,
    send: watched(rail.name, 'send', rail.send.bind(rail)),
    ask: watched(rail.name, 'ask', rail.ask.bind(rail)),
    ...(rail.repeat ? { repeat: watched(rail.name, 'repeat', rail.repeat.bind(rail)) } : {}),
  });
  const paymentRail = (rail: PaymentRail): PaymentRail => ({
    ...rail,
    start: watched(rail.name, 'start', rail.start.bind(rail), ofCards(rail)),
    handleReturn: watched(rail.name, 'return', rail.handleReturn.bind(rail), ofCards(rail)),
    ask: watched(rail.name, 'ask', rail.ask.bind(rail)),
    ...(rail.cancel ? { cancel: watched(rail.name, 'cancel', rail.cancel.bind(rail)) } : {}),
    ...(rail.refund ? { refund: watched(rail.name, 'refund', rail.refund.bind(rail)) } : {}),
    ...(rail.askRefund ? { askRefund: watched(rail.name, 'ask', rail.askRefund.bind(rail)) } : {}),
    ...(rail.repeatRefund ? { repeatRefund: watched(rail.name, 'repeat', rail.repeatRefund.bind(rail)) } : {}),
  });
  return {
    ...rails,
    payoutRails: rails.payoutRails.map(payoutRail),
    paymentRails: rails.paymentRails.map(paymentRail),
  };
}

function ofCards({ paymentType }: PaymentRail): ((exchange: WireExchange) => WireExchange) | undefined {
  return paymentType === 'card' ? withoutRequest : undefined;
}

/** A security code must not be stored, whatever the provider calls its field. */
function withoutRequest(exchange: WireExchange): WireExchange {
  return { ...exchange, path: exchange.path.replace(/\?.*/s, ''), request: '[withheld: contains card data]' };
}

/** Finds every credential in a configuration, at any depth. */
export function secretsIn(configuration: unknown): readonly Secret[] {
  if (configuration instanceof Secret) return [configuration];
  if (typeof configuration !== 'object' || configuration === null) return [];
  return Object.values(configuration).flatMap(secretsIn);
}
