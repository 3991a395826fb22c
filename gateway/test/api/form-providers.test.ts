/**
 * What providers answer, and fail to answer, at every payment type of the hosted form: through the whole gateway, to what
 * the merchant is told and has. Whatever a provider does with a call, its payer is charged once at most, and the merchant
 * has what came.
 */
import { after, before } from 'node:test';
import { cardRefusedFor, madeUpCard } from '../../../rail-simulators/src/adyen/cards.ts';
import { CARDS } from '../support/form-providers/adyen.ts';
import { type FormVisit, failed, open, PAID, type Standing } from '../support/form-providers/form-visit.ts';
import {
  describeRails,
  inFullRun,
  type ProviderCase,
  type ProviderTest,
  type RailCases,
} from '../support/form-providers/provider-cases.ts';
import { openProviderStage, type ProviderStage } from '../support/form-providers/provider-stage.ts';
import type { RailName } from '../support/form-providers/providers.ts';

let stage: ProviderStage;
before(async () => {
  stage = await openProviderStage();
});
after(() => stage.verifyAndClose());

async function pay(visit: FormVisit, behaviour?: string): Promise<void> {
  await visit.submit();
  await visit.act(behaviour);
}

const PAYS: ProviderCase = {
  name: 'pays',
  play: (visit: FormVisit) => pay(visit),
  starts: 'step',
  ends: PAID,
};

/** Paid by the last of the tries. */
const paidAfter = (...attempts: readonly string[]): Standing => ({ ...PAID, attempts: [...attempts, 'paid'] });

/** The payer does something else than to pay, and pays at the second try. */
function refusedAtFirst(behaviour: string, refusal: string): ProviderCase {
  return {
    name: `is told that it is ${refusal} after "${behaviour}", and pays at the second try`,
    async play(visit) {
      await visit.submit();
      await visit.act(behaviour);
      await visit.until('refused');
      await visit.look();
      await visit.again();
      await visit.act();
    },
    ends: paidAfter(`refused ${refusal}`),
  };
}

type Faults = Readonly<Record<string, unknown>>;

/** Done and not said, or not in a way that could be believed. The payer learns what to do, and pays once. */
function takenInSilence(faults: Faults): ProviderCase {
  return {
    name: `pays once where the order was taken under ${JSON.stringify(faults)}`,
    async play(visit) {
      await visit.under(faults, () => visit.submit());
      await visit.until('acting');
      await visit.act();
    },
    starts: 'unknown',
    ends: PAID,
  };
}

/** The same call again is answered, so the payer notices nothing. */
function answeredAgain(faults: Faults): ProviderCase {
  return {
    name: `pays once where the same call had to be made again under ${JSON.stringify(faults)}`,
    async play(visit) {
      await visit.under(faults, () => visit.submit());
      await visit.act();
    },
    starts: 'step',
    ends: PAID,
  };
}

/** Neither done nor said, or nobody could have acted on it: it stays unknown until it is proved, and then the payer may try again. */
function lost(...faults: readonly Faults[]): ProviderTest {
  return {
    name: `may try again once it is proved that the order was lost, under each of ${JSON.stringify(faults)}`,
    async run(stage, rail) {
      const visits: FormVisit[] = [];
      for (const each of faults) {
        const visit = await stage.visit(rail);
        await visit.under(each, async () => {
          await visit.submit();
          await visit.until('unknown');
        });
        visits.push(visit);
      }
      await Promise.all(visits.map(tryAgain));
    },
  };
}

async function tryAgain(visit: FormVisit): Promise<void> {
  await visit.until('refused');
  await visit.look();
  await visit.again();
  await visit.act();
  await visit.ends(paidAfter('refused declined'));
}

/** Said before anybody acted at all. */
function refusedAtOnce(faults: Faults, refusal: string): ProviderCase {
  return {
    name: `is refused at once under ${JSON.stringify(faults)}, and pays at the second try`,
    async play(visit) {
      await visit.under(faults, () => visit.submit());
      await visit.look();
      await visit.again();
      await visit.act();
    },
    ends: paidAfter(`refused ${refusal}`),
  };
}

function refusedForGood(faults: Faults, refusal: string): ProviderCase {
  return {
    name: `is refused for good under ${JSON.stringify(faults)}`,
    play: (visit) => visit.under(faults, () => visit.submit()),
    ends: open(`refused ${refusal}`),
  };
}

/** The last try that there is is refused by what the payer does, and the merchant is told. */
const lastTry = (behaviour: string, refusal: string): ProviderCase => ({
  name: 'is declined at the last try that there is',
  settings: { form_attempts: '1' },
  play: (visit) => pay(visit, behaviour),
  ends: failed('declined', `refused ${refusal}`),
});

/** What the payer is told, and whether they can try again, is another test's matter; that nobody is charged is this one's. */
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

/** Of codes that mean the same the first one, and in the full run all. */
const refusedCards = Object.entries(CARD_REFUSALS).flatMap(([refusal, [first = 0, ...others]]) =>
  [first, ...inFullRun(...others)].map((code) => [refusal, cardRefusedFor(String(code))] as const),
);
const madeUp = (digits: string) => madeUpCard('1', digits);

/** By a card that decides by itself how it ends. */
const byCard = (card: string, ends: Standing, name: string): ProviderCase => ({
  name,
  play: (visit) => visit.submit(card),
  ends,
});

/** No answer comes, and the webhook waits until the attempt was asked about. */
function cardInSilence(faults: Faults): ProviderCase {
  return {
    name: `pays once where the card was charged under ${JSON.stringify(faults)}, which only the webhook tells`,
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
  { ...byCard(CARDS.plain, PAID, 'pays without a challenge'), starts: 'paid' },
  {
    name: 'may try every other card that is refused, and pays by the last one',
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
    byCard(cardRefusedFor(String(code)), open('refused suspected_fraud'), `ends where reason ${code} smells of fraud`),
  ),
  refusedAtFirst('000000 000000 000000', 'authentication_failed'),
  refusedAtFirst('cancel', 'authentication_failed'),
  lastTry('cancel', 'authentication_failed'),
  byCard(madeUp('06'), open('refused declined'), 'is not charged where Adyen has an error'),
  byCard(madeUp('07'), open('refused declined'), 'is not charged where Adyen cancels'),
  byCard(madeUp('03'), PAID, 'waits for what is pending, and has paid'),
  byCard(madeUp('05'), PAID, 'waits for what is received, and has paid'),
  byCard(madeUp('04'), open('refused insufficient_funds'), 'waits for what is pending, and is refused'),
  byCard(madeUp('01'), PAID, 'pays where no request is ever answered'),
  byCard(madeUp('02'), open('refused declined'), 'is refused where no request is ever answered'),
  cardInSilence({ unanswered: 99 }),
  cardInSilence({ answer_500_after: 99 }),
  {
    name: 'is charged once by the same request again where the first was answered 500',
    play: (visit) => visit.under({ answer_500_after: 1 }, () => visit.submit(CARDS.plain)),
    starts: 'paid',
    ends: PAID,
  },
  {
    name: 'waits where nobody can prove that the card was never charged, and no other card is taken meanwhile',
    async play(visit) {
      await visit.under({ lost: 99 }, () => visit.submit(CARDS.plain));
      await visit.untilAsked('unknown');
    },
    starts: 'unknown',
    ends: open('unknown'),
  },
  {
    name: 'pays once where the webhook is there before the answer',
    play: (visit) => visit.under({ webhooks: 'before_reply' }, () => visit.submit(CARDS.plain)),
    ends: PAID,
  },
];

const PIX: RailCases[RailName] = [
  PAYS,
  {
    name: 'has paid though no callback comes',
    play: (visit) =>
      visit.under({ notifications: 'off' }, async () => {
        await pay(visit);
        await visit.until('paid');
      }),
    ends: PAID,
  },
  refusedAtOnce({ charges: 'refuse' }, 'declined'),
  takenInSilence({ charges: 'take_unanswered' }),
  takenInSilence({ charges: 'take_500' }),
  lost({ charges: 'lose' }, { down: true }, { answer_500: 99 }),
  {
    name: 'pays once where the callback is there before the answer',
    play: (visit) =>
      visit.under({ charges: 'take_unanswered' }, async () => {
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
  refusedAtFirst('insufficient_funds', 'insufficient_funds'),
  refusedAtFirst('bank_rejects', 'declined'),
  refusedAtFirst('locked_out', 'declined'),
  lastTry('bank_rejects', 'declined'),
  {
    name: 'has paid where nobody tells the end and the money comes',
    play: (visit: FormVisit) => pay(visit, 'no_final_status_paid'),
    ends: PAID,
  },
  ...['no_final_status', 'never_settles', 'silent_bank'].map((behaviour) => ({
    name: `waits where nobody tells the end after "${behaviour}"`,
    play: (visit: FormVisit) => pay(visit, behaviour),
    ends: open('deciding'),
  })),
  {
    name: 'has paid where the bank asks in its app',
    play: (visit: FormVisit) => pay(visit, 'in_app'),
    ends: PAID,
  },
  refusedAtOnce({ payments: 'refuse' }, 'declined'),
  refusedAtOnce({ payments: 'refuse_bank' }, 'payer_details'),
  takenInSilence({ payments: 'take_unanswered' }),
  takenInSilence({ payments: 'take_500' }),
  // The last one is HTTP 200, and it says that it failed.
  lost({ payments: 'lose' }, { down: true }, { payments: 'refuse_503' }, { payments: 'error_200' }),
  {
    name: 'pays where Token.io takes its time to know the bank',
    play: (visit) =>
      visit.under({ payments: 'slow_bank' }, async () => {
        await visit.submit();
        await visit.until('acting');
        await visit.act();
      }),
    ends: PAID,
  },
  {
    name: 'pays once where the webhook is there before the answer',
    play: (visit) => visit.under({ payments: 'told_before_reply' }, () => visit.submit()),
    ends: PAID,
  },
];

const TRUSTLY: RailCases[RailName] = [
  PAYS,
  {
    name: 'has agreed at first, and has paid later',
    async play(visit) {
      await visit.submit();
      await visit.act('pay_slowly');
      await visit.until('deciding');
    },
    ends: PAID,
  },
  refusedAtFirst('cancel', 'cancelled_by_payer'),
  refusedAtFirst('never_settle', 'cancelled_by_payer'),
  lastTry('cancel', 'cancelled_by_payer'),
  refusedForGood({ deposits: 'refuse' }, 'suspected_fraud'),
  answeredAgain({ deposits: 'take_500' }),
  answeredAgain({ answer_500: 1 }),
  // Who never had the page's address has shown it to nobody.
  lost(
    { deposits: 'take_unanswered' },
    { deposits: 'foreign_key' },
    { deposits: 'error_620' },
    { deposits: 'lose' },
    { down: true },
  ),
  {
    name: 'pays once where the notification is there before the answer',
    play: (visit) => visit.under({ deposits: 'paid_before_reply' }, () => visit.submit()),
    ends: PAID,
  },
];

const VOPAY: RailCases[RailName] = [
  PAYS,
  {
    name: 'has agreed at first, and has paid later',
    async play(visit) {
      await visit.submit();
      await visit.act('accept_slowly');
      await visit.until('deciding');
    },
    ends: PAID,
  },
  refusedAtFirst('decline', 'cancelled_by_payer'),
  refusedAtFirst('accept_without_funds', 'insufficient_funds'),
  refusedAtFirst('undeliverable', 'payer_details'),
  refusedAtFirst('expire', 'expired'),
  lastTry('decline', 'cancelled_by_payer'),
  refusedAtOnce({ money_requests: 'refuse' }, 'payer_details'),
  refusedAtOnce({ money_requests: 'fail_at_once' }, 'declined'),
  refusedAtOnce({ money_requests: 'not_enabled' }, 'declined'),
  refusedForGood({ money_requests: 'over_limit' }, 'limit'),
  takenInSilence({ money_requests: 'take_unanswered' }),
  takenInSilence({ money_requests: 'take_500' }),
  // HTTP 200, and it says that it failed.
  takenInSilence({ money_requests: 'take_and_say_no' }),
  lost({ money_requests: 'lose' }, { money_requests: 'say_no' }, { down: true }),
  {
    name: 'waits while VoPay can’t be asked, and pays once',
    async play(visit) {
      await visit.under({ money_requests: 'take_and_say_no', look_ups: 'say_no' }, async () => {
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
    name: 'pays once where the webhook is there before the answer',
    play: (visit) => visit.under({ money_requests: 'paid_before_reply' }, () => visit.submit()),
    ends: PAID,
  },
];

const CASES: RailCases = { adyen: ADYEN, pix: PIX, 'token-io': TOKEN_IO, trustly: TRUSTLY, vopay: VOPAY };

describeRails('a payer', () => stage, CASES);
