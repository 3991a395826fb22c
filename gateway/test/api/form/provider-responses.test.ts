/**
 * Provider responses and failures for every payment type of the hosted form, from the payer's submit to the merchant's
 * callback and balance. The payer must be charged at most once, and the merchant must receive the money that arrived.
 */
import { after, before } from 'node:test';
import { cardRefusedFor, madeUpCard } from '../../../../rail-simulators/src/adyen/cards.ts';
import { CARDS } from '../../../src/rails/adyen/form-provider-under-test.ts';
import {
  acceptedUnanswered,
  answeredAgain,
  type Faults,
  lastTry,
  lost,
  PAYS,
  paidAfter,
  pay,
  refusedAtFirst,
  refusedAtOnce,
  refusedForGood,
} from '../../support/form-providers/attempt-cases.ts';
import { type FormVisit, open, PAID, type Standing } from '../../support/form-providers/form-visit.ts';
import {
  describeRails,
  inFullRun,
  type ProviderCase,
  type RailCases,
} from '../../support/form-providers/provider-cases.ts';
import { openProviderStage, type ProviderStage } from '../../support/form-providers/provider-stage.ts';
import type { RailName } from '../../support/form-providers/providers.ts';

let stage: ProviderStage;
before(async () => {
  stage = await openProviderStage();
});
after(() => stage.verifyAndClose());

/**
 * Result codes by the decline that they mean. Other tests cover the text for the payer and whether a retry is possible; this
 * test proves that a declined card is not charged.
 */
const CARD_REFUSALS: Readonly<Record<string, readonly number[]>> = {
  declined: [2, 3, 4, 5, 7, 9, 10, 15, 17, 18, 19, 21, 23, 25, 26, 27],
  expired_card: [6],
  wrong_card_data: [8, 24],
  authentication_failed: [11, 38, 39, 42],
  insufficient_funds: [12],
  cancelled_by_payer: [16],
  limit: [28, 29],
  payer_details: [32],
};
const FRAUD_CODES = [14, ...inFullRun(20, 22, 31)];

/** The full run covers every code, the core run one code of two declines. */
const refusedCards = Object.entries(CARD_REFUSALS).flatMap(([refusal, codes], place) => {
  const played = process.env['TEST_FULL'] ? codes : codes.slice(0, place < 2 ? 1 : 0);
  return played.map((code) => [refusal, cardRefusedFor(String(code))] as const);
});
const madeUp = (digits: string) => madeUpCard('1', digits);

/** A test card that determines the outcome. */
const byCard = (card: string, ends: Standing, name: string): ProviderCase => ({
  name,
  play: (visit) => visit.submit(card),
  ends,
});

/** No response arrives, and the webhook is delayed until the gateway has queried the attempt. */
function cardInSilence(faults: Faults): ProviderCase {
  return {
    name: `a payer pays once when only the webhook reports the charge: ${JSON.stringify(faults)}`,
    async play(visit) {
      const letGo = visit.tapped.holdBack(() => true);
      await visit.under(faults, () => visit.submit(CARDS.plain));
      await visit.untilAsked('unknown');
      letGo();
    },
    starts: 'unknown',
    ends: PAID,
  };
}

const ADYEN: RailCases[RailName] = [
  PAYS,
  { ...byCard(CARDS.plain, PAID, 'a payer pays without a challenge'), starts: 'paid' },
  {
    name: 'a payer may retry after each refused card and pays with the last one',
    settings: { form_attempts: '50' },
    async play(visit) {
      await visit.submit(refusedCards[0]?.[1]);
      for (const card of [...refusedCards.slice(1).map(([, refused]) => refused), CARDS.plain]) {
        await visit.until('refused');
        await visit.look();
        await visit.again(card);
      }
    },
    ends: paidAfter(...refusedCards.map(([refusal]) => `refused ${refusal}`)),
  },
  ...FRAUD_CODES.map((code) =>
    byCard(
      cardRefusedFor(String(code)),
      open('refused suspected_fraud'),
      `a payment ends without another attempt when Adyen refuses it for fraud (reason ${code})`,
    ),
  ),
  refusedAtFirst('cancel', 'authentication_failed'),
  lastTry('cancel', 'authentication_failed'),
  byCard(madeUp('03'), PAID, 'a pending card payment succeeds later'),
  byCard(madeUp('04'), open('refused insufficient_funds'), 'a pending card payment is refused later'),
  byCard(madeUp('01'), PAID, 'a card payment succeeds when Adyen answers no request'),
  cardInSilence({ unanswered: 99 }),
  {
    name: 'an attempt stays unknown and blocks other cards while nothing proves that the card was not charged',
    async play(visit) {
      await visit.under({ lost: 99 }, () => visit.submit(CARDS.plain));
      await visit.untilAsked('unknown');
    },
    starts: 'unknown',
    ends: open('unknown'),
  },
  {
    name: 'a payer pays once when the webhook arrives before the answer',
    play: (visit) => visit.under({ webhooks: 'before_reply' }, () => visit.submit(CARDS.plain)),
    ends: PAID,
  },
  ...inFullRun<ProviderCase>(
    refusedAtFirst('000000 000000 000000', 'authentication_failed'),
    byCard(madeUp('06'), open('refused declined'), 'a payer is not charged when Adyen reports an error'),
    byCard(madeUp('07'), open('refused declined'), 'a payer is not charged when Adyen cancels'),
    byCard(madeUp('05'), PAID, 'a received card payment succeeds later'),
    byCard(madeUp('02'), open('refused declined'), 'a card payment is refused when Adyen answers no request'),
    cardInSilence({ answer_500_after: 99 }),
    {
      name: 'a payer is charged once when Adyen answers 500 and the gateway repeats the request',
      play: (visit) => visit.under({ answer_500_after: 1 }, () => visit.submit(CARDS.plain)),
      starts: 'paid',
      ends: PAID,
    },
  ),
];

const PIX: RailCases[RailName] = [
  PAYS,
  {
    name: 'a payment succeeds without the bank’s callback',
    play: (visit) =>
      visit.under({ notifications: 'off' }, async () => {
        await pay(visit);
        await visit.until('paid');
      }),
    ends: PAID,
  },
  refusedAtOnce({ charges: 'refuse' }, 'declined'),
  acceptedUnanswered({ charges: 'accept_unanswered' }),
  ...inFullRun(acceptedUnanswered({ charges: 'accept_500' })),
  lost({ charges: 'lose' }, ...inFullRun({ down: true }, { answer_500: 99 })),
  {
    name: 'a payer pays once when the callback arrives before the answer',
    play: (visit) =>
      visit.under({ charges: 'accept_unanswered' }, async () => {
        const submitted = visit.submit();
        await visit.act();
        await submitted;
      }),
    ends: PAID,
  },
];

const TOKEN_IO: RailCases[RailName] = [
  PAYS,
  refusedAtFirst('reject', 'cancelled_by_payer'),
  ...inFullRun(
    refusedAtFirst('insufficient_funds', 'insufficient_funds'),
    refusedAtFirst('bank_rejects', 'declined'),
    refusedAtFirst('locked_out', 'declined'),
    lastTry('bank_rejects', 'declined'),
  ),
  {
    name: 'a payment without a final status succeeds when its money arrives',
    play: (visit: FormVisit) => pay(visit, 'no_final_status_paid'),
    ends: PAID,
  },
  ...['no_final_status', ...inFullRun('never_settles', 'silent_bank')].map((behaviour) => ({
    name: `an attempt stays open without a final status after "${behaviour}"`,
    play: (visit: FormVisit) => pay(visit, behaviour),
    ends: open('deciding'),
  })),
  {
    name: 'a payer pays after the bank asks in its app',
    play: (visit: FormVisit) => pay(visit, 'in_app'),
    ends: PAID,
  },
  refusedAtOnce({ payments: 'refuse_bank' }, 'payer_details'),
  acceptedUnanswered({ payments: 'accept_unanswered' }),
  ...inFullRun(refusedAtOnce({ payments: 'refuse' }, 'declined'), acceptedUnanswered({ payments: 'accept_500' })),
  // The last fault is an HTTP 200 whose body reports a failure.
  lost({ payments: 'lose' }, ...inFullRun({ down: true }, { payments: 'refuse_503' }, { payments: 'error_200' })),
  {
    name: 'a payer pays when Token.io is slow to identify the bank',
    play: (visit) =>
      visit.under({ payments: 'slow_bank' }, async () => {
        await visit.submit();
        await visit.until('acting');
        await visit.act();
      }),
    ends: PAID,
  },
  {
    name: 'a payer pays once when the webhook arrives before the answer',
    play: (visit) => visit.under({ payments: 'notified_before_reply' }, () => visit.submit()),
    ends: PAID,
  },
];

const TRUSTLY: RailCases[RailName] = [
  PAYS,
  {
    name: 'a payer agrees first, and the money arrives later',
    async play(visit) {
      await visit.submit();
      await visit.act('pay_slowly');
      await visit.until('deciding');
    },
    ends: PAID,
  },
  refusedAtFirst('cancel', 'cancelled_by_payer'),
  refusedForGood({ deposits: 'refuse' }, 'suspected_fraud'),
  answeredAgain({ deposits: 'accept_500' }),
  ...inFullRun(
    refusedAtFirst('never_settle', 'cancelled_by_payer'),
    lastTry('cancel', 'cancelled_by_payer'),
    answeredAgain({ answer_500: 1 }),
  ),
  // The gateway never received the page's URL, so no payer can have opened the page.
  lost(
    { deposits: 'accept_unanswered' },
    ...inFullRun({ deposits: 'foreign_key' }, { deposits: 'error_620' }, { deposits: 'lose' }, { down: true }),
  ),
  {
    name: 'a payer pays once when the notification arrives before the answer',
    play: (visit) => visit.under({ deposits: 'paid_before_reply' }, () => visit.submit()),
    ends: PAID,
  },
];

const VOPAY: RailCases[RailName] = [
  PAYS,
  {
    name: 'a payer accepts first, and the money arrives later',
    async play(visit) {
      await visit.submit();
      await visit.act('accept_slowly');
      await visit.until('deciding');
    },
    ends: PAID,
  },
  refusedAtFirst('decline', 'cancelled_by_payer'),
  refusedAtOnce({ money_requests: 'refuse' }, 'payer_details'),
  acceptedUnanswered({ money_requests: 'accept_unanswered' }),
  ...inFullRun(
    refusedAtFirst('accept_without_funds', 'insufficient_funds'),
    refusedAtFirst('undeliverable', 'payer_details'),
    refusedAtFirst('expire', 'expired'),
    lastTry('decline', 'cancelled_by_payer'),
    refusedAtOnce({ money_requests: 'fail_at_once' }, 'declined'),
    refusedAtOnce({ money_requests: 'not_enabled' }, 'declined'),
    refusedForGood({ money_requests: 'over_limit' }, 'limit'),
    acceptedUnanswered({ money_requests: 'accept_500' }),
    // An HTTP 200 whose body reports a failure.
    acceptedUnanswered({ money_requests: 'accept_and_answer_error' }),
  ),
  lost({ money_requests: 'lose' }, ...inFullRun({ money_requests: 'answer_error' }, { down: true })),
  {
    name: 'an attempt stays unknown while VoPay does not respond to queries, and is paid once afterwards',
    async play(visit) {
      await visit.under({ money_requests: 'accept_and_answer_error', look_ups: 'answer_error' }, async () => {
        await visit.submit();
        await visit.untilAsked('unknown');
      });
      await visit.until('acting');
      await visit.act();
    },
    starts: 'unknown',
    ends: PAID,
  },
  {
    name: 'a payer pays once when the webhook arrives before the answer',
    play: (visit) => visit.under({ money_requests: 'paid_before_reply' }, () => visit.submit()),
    ends: PAID,
  },
];

const CASES: RailCases = { adyen: ADYEN, pix: PIX, 'token-io': TOKEN_IO, trustly: TRUSTLY, vopay: VOPAY };

describeRails('a payer', () => stage, CASES);
