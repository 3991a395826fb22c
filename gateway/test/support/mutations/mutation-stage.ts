/**
 * A complete gateway with the simulator of every provider that notifies it. Payouts, payments and transfers start, and
 * modified notifications with valid signatures arrive before, between and after the genuine ones. Afterwards the ledger must
 * equal the providers' books, or an operator must see each difference.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptDifference } from '../../../src/domain/differences/difference.ts';
import { systemClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { createRails } from '../../../src/rails/registry.ts';
import { createFormPayer } from '../form/form-payer.ts';
import { createFormVisit, type PaymentVisit } from '../form-providers/form-visit.ts';
import { startNotificationTap, type TappedNotification } from '../form-providers/notification-tap.ts';
import { pay } from '../form-providers/provider-endings.ts';
import { FORM_PACE, startProviders, variablesOf } from '../form-providers/provider-stage.ts';
import { PROVIDERS, RAIL_NAMES } from '../form-providers/providers.ts';
import { configOf, freePort, startGateway } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import {
  PAYOUT_PROVIDERS,
  type PayoutProvider,
  type PayoutRailName,
  paidIn,
  startPayoutProvider,
} from '../rails/payout-providers.ts';
import { providersDaysSince } from '../rails/payout-trial.ts';
import { startStpUnderControl } from '../rails/stp-under-control.ts';
import type { CardPlants } from '../secrets/card-plants.ts';
import type { Choices } from '../tools/seeded.ts';
import { until } from '../tools/until.ts';
import { createWokenClock } from '../tools/woken-clock.ts';
import { findIncompleteProofs, type IncompleteProofs } from './incomplete-proofs.ts';
import { mutate, placesOf, replacedAt } from './mutate.ts';
import { sealersOf } from './sealers.ts';

/**
 * The payout rails that send notifications, each with the change of a payout or the faults that make the provider decline it.
 */
const DECLINES: Readonly<Partial<Record<PayoutRailName, Readonly<Record<string, unknown>>>>> = {
  'adyen-transfers': { transfers: 'refuse_later', reason: 'invalidCard' },
  'dt-one': { transactions: 'decline' },
  epoint: { payouts: 'fail_later' },
  'freedom-pay': {},
  razorpayx: { payouts: 'fail' },
  wayforpay: { payouts: 'decline_later' },
};
const RAILS = Object.keys(DECLINES) as readonly PayoutRailName[];

const FUNDS = '1000.00';
/** Responses to a notification that was not recorded. The provider repeats it. */
const PUT_OFF = new Set(['try_again', 'malformed']);

/** The reference of a payout or a payment. Pix omits the hyphen. */
const OWN_REFERENCE = /P[0-9A-F]{28}|\d{13}-?[A-Za-z0-9]{8}/;

export interface Counts {
  sent: number;
  taken: number;
}

interface SentPayout {
  readonly rail: PayoutRailName;
  readonly merchant: TestMerchant;
  readonly payoutId: string;
}

export type MutationStage = Awaited<ReturnType<typeof openMutationStage>>;

export async function openMutationStage(choices: Choices) {
  const providers = await startEverything();
  const liar = createLiar(providers, choices);
  return {
    gateway: providers.gateway,
    payoutRails: RAILS,
    formRails: RAIL_NAMES,
    ...liar,
    ...createSearches(providers, liar),
    ...payoutsOver(providers, choices),
    ...paymentsOver(providers),
    ...transfersOver(providers),
    close: providers.close,
  };
}

type Everything = Awaited<ReturnType<typeof startEverything>>;

async function startEverything() {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-mutations-'));
  const port = await freePort();
  const tap = await startNotificationTap(() => `http://127.0.0.1:${port}`);
  const forms = await startProviders(tap.url, folder);
  const notifications = `${tap.url}/rail-notifications`;
  const started = await Promise.all(
    RAILS.map(async (rail) => {
      const { delays } = PAYOUT_PROVIDERS[rail].drill;
      const place = { notifications, folder };
      return [rail, await startPayoutProvider(rail, place, { delays: delays as never })] as const;
    }),
  );
  const payoutProviders = new Map<PayoutRailName, PayoutProvider>(started);
  const stp = await startStpUnderControl(`${notifications}/stp`);
  const clock = createWokenClock();
  const variables: EnvironmentVariables = {
    ...Object.assign({}, ...started.map(([, { variables }]) => variables)),
    ...variablesOf(forms),
    ...stp.variables,
    PORT: String(port),
    PUBLIC_URL: tap.url,
  };
  const gateway = await startGateway({
    withoutBank: true,
    clock,
    pace: FORM_PACE,
    variables: { ...variables, STP_CONFIRM_ABOVE: '0' },
  });
  return {
    gateway,
    variables,
    tap,
    forms,
    payoutProviders,
    stp,
    openedAt: Date.now(),
    openDifferences: () => gateway.operations.differences.list({ rail: null, day: null, kind: null, openOnly: true }),
    async close() {
      await Promise.all(Object.values(forms).map((each) => each.close()));
      await Promise.all(started.map(([, each]) => each.close()));
      await stp.close();
      await gateway.verifyAndStop().finally(async () => {
        await tap.close();
        await rm(folder, { recursive: true, force: true });
      });
    },
  };
}

function createLiar({ gateway, tap, forms }: Everything, choices: Choices) {
  const sealers = sealersOf(forms.trustly);
  const counts = new Map<string, Counts>();

  /** Sends one modified notification of the rail, and asserts that the gateway's response is a documented one. */
  async function lie(rail: string, retarget: (text: string) => string): Promise<void> {
    const sealer = sealers[rail];
    const genuine = tap.rail(rail).received;
    if (!sealer || genuine.length === 0) return;
    const [like, other] = [choices.oneOf(genuine), choices.oneOf(genuine)];
    let text = retarget(sealer.open(like));
    const what: string[] = [];
    for (let times = choices.oneOf([0, 1, 1, 1, 2]); times > 0; times--) {
      const mutated = mutate(text, sealer.open(other), choices);
      text = mutated.text;
      what.push(mutated.what);
    }
    const sealed = sealer.seal(text, like);
    const copies = choices.oneOf([1, 1, 1, 2]);
    await Promise.all(Array.from({ length: copies }, () => sendLie(rail, sealed, what.join('; '))));
  }

  async function sendLie(rail: string, sealed: TappedNotification, what: string): Promise<void> {
    const answer = await post(sealed);
    const count = counts.get(rail) ?? { sent: 0, taken: 0 };
    counts.set(rail, { sent: count.sent + 1, taken: count.taken + Number(answer.status < 300) });
    const isProper = answer.status < 500 || PUT_OFF.has(answer.error);
    assert.ok(isProper, `${rail} answered ${answer.status} ${answer.error} to ${what}: ${sealed.body}`);
  }

  async function post({ path, headers, body }: TappedNotification): Promise<{ status: number; error: string }> {
    const response = await fetch(gateway.url + path, { method: 'POST', headers: { ...headers }, body });
    const text = await response.text();
    const [, error = text] = /"error":"([a-z_]+)"/.exec(text) ?? [];
    return { status: response.status, error };
  }

  const referencesOf = async (rail: string) => {
    const { rows } = await gateway.database.pool.query<{ reference: string }>(
      `select reference from (
         select reference, started_at from payout_attempts where rail = $1
         union all select reference, started_at from payment_attempts where rail = $1) as a
       where reference is not null order by started_at desc limit 3`,
      [rail],
    );
    return rows.map(({ reference }) => reference);
  };

  /** Makes a notification name a different payout or payment of its rail. */
  async function aimed(rail: string): Promise<(text: string) => string> {
    const references = await referencesOf(rail);
    const target = references.length > 0 ? choices.oneOf(references) : undefined;
    const isAimed = choices.between(0, 2) > 0;
    return (text) => {
      const [own = ''] = OWN_REFERENCE.exec(text) ?? [];
      const named = own.includes('-') ? target : target?.replace('-', '');
      return named && isAimed && own !== '' ? text.replaceAll(own, named) : text;
    };
  }

  async function lies(rail: string, times: number): Promise<void> {
    for (let left = times; left > 0; left--) await lie(rail, await aimed(rail));
  }

  return { counts, lies, sendLie };
}

function createSearches({ tap, forms, variables }: Everything, { sendLie }: ReturnType<typeof createLiar>) {
  const sealers = sealersOf(forms.trustly);

  /** Resends the provider's notifications with a card number in one value per name. */
  async function plant(rail: string, { cardFor, someNotations }: CardPlants): Promise<void> {
    const sealer = sealers[rail];
    assert.ok(sealer, rail);
    const planted = new Set<string>();
    for (const like of tap.rail(rail).received) {
      const text = sealer.open(like);
      const places = placesOf(text).filter((place) => !planted.has(place));
      for (const place of places)
        for (const [way, write] of someNotations()) {
          const lie = replacedAt(text, place, write(cardFor(`${rail}, ${place}, ${way}`)));
          await sendLie(rail, sealer.seal(lie, like), place);
          planted.add(place);
        }
    }
    const unsigned = { path: `/rail-notifications/${rail}`, headers: {}, body: cardFor(`${rail}, an unsigned body`) };
    await sendLie(rail, unsigned, 'an unsigned body');
  }

  /** Returns the proofs by rail. The gateway accepts small STP transfers without a query. */
  async function incompleteProofs(): Promise<ReadonlyMap<string, IncompleteProofs>> {
    const parts = { hooks: { onCredentialRefused: () => {} }, clock: systemClock, random: systemRandom };
    const rails = createRails(configOf(variables).rails, parts);
    const found = rails.notifications.map((rail) => {
      const sealer = sealers[rail.name];
      assert.ok(sealer, rail.name);
      return [rail.name, findIncompleteProofs(rail, tap.rail(rail.name).received, sealer)] as const;
    });
    await rails.close();
    return new Map(found);
  }

  return { plant, incompleteProofs };
}

function payoutsOver({ gateway, payoutProviders, openedAt, openDifferences }: Everything, choices: Choices) {
  let payouts = 0;

  async function payout(rail: PayoutRailName): Promise<SentPayout> {
    const provider = payoutProviders.get(rail);
    const { method } = PAYOUT_PROVIDERS[rail].drill;
    const isDeclined = choices.between(0, 2) === 0;
    // Epoint sends payout notifications only with this fault setting.
    const notifying = rail === 'epoint' ? { callbacks: 'multipart' } : {};
    await provider?.faults({ ...notifying, ...(isDeclined ? DECLINES[rail] : {}) });
    const merchant = await gateway.merchant({
      funds: { AZN: FUNDS, EUR: FUNDS, INR: FUNDS, KZT: FUNDS, UAH: FUNDS, USD: FUNDS },
    });
    const payoutId = `p${++payouts}`;
    const declining = rail === 'freedom-pay' && isDeclined ? { account: '4532676596620704' } : {};
    const { status, description } = await merchant.pay(method, payoutId, declining);
    assert.equal(status, 'Pending', description ?? '');
    return { rail, merchant, payoutId };
  }

  async function judgePayout(
    { rail, merchant, payoutId }: SentPayout,
    differences: readonly KeptDifference[],
  ): Promise<void> {
    const record = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });
    assert.ok(record);
    const book = (await payoutProviders.get(rail)?.book()) ?? [];
    const own = new Set(record.attempts.map(({ reference }) => PAYOUT_PROVIDERS[rail].named({ reference })));
    const paid = paidIn(rail, book).filter((name) => own.has(name)).length;
    assert.ok(paid <= 1, `${rail} paid ${payoutId} ${paid} times`);
    const kinds = record.adjustments.map(({ kind }) => kind);
    const isPaid =
      (record.payout.state === 'success' || kinds.includes('late_execution')) && !kinds.includes('reversed');
    const isOpen = differences.some((each) => each.merchantId === merchant.id && each.payoutId === payoutId);
    assert.ok(
      isPaid === (paid === 1) || isOpen,
      `${rail} ${merchant.id}/${payoutId} is ${record.payout.state} ${kinds.join()}, and the provider paid it ${paid} times`,
    );
  }

  return {
    payout,
    /** Waits until each payout is final, runs the nightly comparison, and checks the books. */
    async judgePayouts(sent: readonly SentPayout[]): Promise<void> {
      for (const { merchant, payoutId } of sent) await merchant.final(payoutId);
      for (const rail of RAILS)
        for (const day of providersDaysSince(openedAt)) await gateway.operations.reconciliation.run(rail, day);
      const differences = await openDifferences();
      for (const each of sent) await judgePayout(each, differences);
      await gateway.verify();
    },
  };
}

function paymentsOver({ gateway, tap, forms, openDifferences }: Everything) {
  let payments = 0;

  async function payment(rail: (typeof RAIL_NAMES)[number]): Promise<PaymentVisit> {
    const { paymentType, currency } = PROVIDERS[rail];
    const settings = { [`fee_fixed.${paymentType}.${currency}`]: '0.50' };
    const merchant = await gateway.merchant({ funds: {}, settings });
    const place = { gateway, provider: forms[rail], row: PROVIDERS[rail], expire: () => {}, calls: [] };
    return createFormVisit({
      ...place,
      rail,
      merchant,
      payer: createFormPayer(gateway.url, {}),
      order: `F${++payments}`,
    });
  }

  return {
    payment,
    pay: (visit: PaymentVisit) => pay({ ...visit, tapped: tap.rail(visit.rail) }),
    async judgePayment(visit: PaymentVisit): Promise<void> {
      await visit.until('paid');
      const { money, later, charges, available } = await visit.standing();
      const record = await gateway.operations.deposits.find(visit.merchant.id, visit.order);
      const differences = await openDifferences();
      const isOpen = differences.some(({ transactionId }) => transactionId === record?.deposit.transactionId);
      const isHeld = money.some((line) => line.startsWith('held'));
      const isEqual = charges === 1 && money.join() === 'credited 10.50' && available === '10.00';
      assert.ok(
        isEqual || isOpen || isHeld || later.length > 0,
        `${visit.rail} ${visit.order}: ${money.join()}, ${available} for ${charges} charges`,
      );
    },
  };
}

function transfersOver({ gateway, stp }: Everything) {
  let transfers = 0;
  return {
    /** Makes a payer transfer to a new deposit. Resolves to the CLABE. */
    async transfer(): Promise<string> {
      const merchant = await gateway.merchant();
      const { clabe } = await merchant.deposit(`S${++transfers}`);
      await stp.pay(clabe);
      return clabe;
    },
    /**
     * STP’s list confirms every transfer, so the records must match its book, except for transfers that the gateway returned
     * because no deposit matched.
     */
    async judgeTransfer(clabe: string): Promise<void> {
      const recorded = async () => {
        const { rows } = await gateway.database.pool.query<{ text: string; pay_to: string }>(
          `select pay_to || ' ' || state || ' ' || amount as text, pay_to from incoming_transfers
           where rail = 'stp' and state <> 'sent_back'`,
        );
        return rows;
      };
      await until(`the transfer to ${clabe} is recorded`, async () =>
        (await recorded()).some(({ pay_to }) => pay_to === clabe),
      );
      assert.deepEqual(
        (await recorded()).map(({ text }) => text).sort(),
        (await stp.received())
          .map(({ cuentaBeneficiario, monto }) => `${cuentaBeneficiario} credited ${monto.replace('.', '')}`)
          .sort(),
      );
    },
  };
}
