/**
 * Payouts to mobile numbers in Kazakhstan (method 24) through DT One. The rail looks up the number's operator, and then buys
 * that operator's product for the number. A lookup orders nothing, so if it fails, DT One accepted nothing.
 *
 * Not confirmed: how many requests DT One allows, how long it takes to respond, and how soon it finds a new transaction. The
 * numbers below are cautious. If the rail repeats a payout that was accepted after all, DT One rejects its `external_id`.
 */
import type { PayoutRail, RailAnswer } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { fail, type Result } from '../../foundation/result.ts';
import { asObject } from '../kit/provider-json.ts';
import { notAccepted } from '../kit/rail-answers.ts';
import { type DtOneAnswer, type DtOneApi, findTransaction } from './api.ts';
import { DT_ONE, type DtOneConfiguration } from './configuration.ts';
import {
  chooseProduct,
  LOOKUP_PATH,
  readFound,
  readMade,
  TRANSACTIONS_PATH,
  writeLookUp,
  writeTransaction,
} from './protocol.ts';

/** The lookups of one number per hour and process. Many payouts to one number, or retries of one, need fewer. */
const MOST_LOOK_UPS = 60;

/** The product for a number, or the response about its payout without one. */
type LookUp = (body: string, deadline: Deadline) => Promise<Result<string, RailAnswer>>;

export function createDtOnePayoutRail(configuration: DtOneConfiguration, api: DtOneApi, clock: Clock): PayoutRail {
  const lookUp = limited(clock, async (body, deadline) =>
    productOf(await api.post(LOOKUP_PATH, body, deadline), configuration),
  );
  return {
    name: DT_ONE,
    methods: new Set([24]),
    simulated: configuration.simulated,
    notifies: true,
    // One call makes two requests.
    timeoutMs: 20 * SECOND_MS,
    notFoundProofMs: 15 * MINUTE_MS,
    askAfterMs: [10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: configuration.concurrency,
    async send(order, deadline) {
      const product = await lookUp(writeLookUp(order), deadline);
      if (!product.ok) return product.error;
      const body = writeTransaction(order, product.value, configuration);
      const made = await api.post(TRANSACTIONS_PATH, body, deadline);
      return made.kind === 'done' ? readMade(order, asObject(made.answer) ?? {}) : made.answer;
    },
    async ask(order, deadline) {
      const found = await findTransaction(api, order.reference, deadline);
      return found.kind === 'listed' ? readFound(order, found.items) : found;
    },
  };
}

/**
 * The limit by target (decision 56). Above it, the last response about the number counts. A rejection would let the
 * payouts of one merchant delay another's, and open the breaker.
 */
function limited(clock: Clock, lookUp: LookUp): LookUp {
  const numbers = new Map<string, { count: number; last?: Awaited<ReturnType<LookUp>> }>();
  let hour = 0;
  return async (body, deadline) => {
    const current = Math.floor(clock.now() / HOUR_MS);
    if (current !== hour) numbers.clear();
    hour = current;
    const number = numbers.get(body) ?? { count: 0 };
    numbers.set(body, number);
    if (number.count >= MOST_LOOK_UPS && number.last) return number.last;
    number.count += 1;
    const product = await lookUp(body, deadline);
    if (product.ok || product.error.kind === 'declined') number.last = product;
    return product;
  };
}

function productOf(lookedUp: DtOneAnswer, { products }: DtOneConfiguration): Result<string, RailAnswer> {
  if (lookedUp.kind === 'refused') {
    const { answer } = lookedUp;
    return fail(answer.kind === 'declined' ? answer : notAccepted(`no operator: ${answer.reason}`));
  }
  return Array.isArray(lookedUp.answer)
    ? chooseProduct(lookedUp.answer, products)
    : fail(notAccepted('no operator: DT One’s response does not contain a list'));
}
