/**
 * Form payments after their result, under random sequences of events in two processes: reversals, chargebacks, debits and
 * their reversals, duplicated, reordered and with other amounts and currencies; refunds and returns that succeed or fail;
 * operators who move held money; and orders that pass to another request. At the end, the provider's book and the ledger must
 * agree.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fundMerchant } from '../../../src/domain/ledger/journals.ts';
import type { PaymentAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import type { LaterNews, PaidAnswer } from '../../../src/domain/payments/payment-rail.ts';
import type { PayoutEvent } from '../../../src/domain/payouts/payout.ts';
import type { Currency } from '../../../src/foundation/currency.ts';
import { type Database, openDatabase } from '../../../src/storage/core/database.ts';
import { verifyInvariants } from '../../../src/storage/invariants/verify-invariants.ts';
import { ACT, cardOf, PAID } from '../../support/form/card-payments.ts';
import { type Process, processOver } from '../../support/form/later-process.ts';
import { type LaterScene, openLaterScene } from '../../support/form/later-scene.ts';
import { reportOf } from '../../support/payouts/stored-payouts.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';

const SCENES = process.env['TEST_FULL'] ? 60 : 4;
const STEPS = 25;
const MOST_AT_ONCE = 6;
const PAYMENTS = 6;
/** The number of payments that are paid before the first operation. Only paid payments have later reports. */
const PAID_FIRST = 4;
const RAIL = 'card-rail';
const PAID_ANSWER = PAID as PaidAnswer;

let scene: LaterScene;
let otherDatabase: Database;
let processes: readonly Process[];

before(async () => {
  scene = await openLaterScene();
  scene.cards.provider.says = ACT;
  otherDatabase = openDatabase(scene.bench.config, { poolSize: 8 });
  processes = [processOver(scene, scene.bench.database), processOver(scene, otherDatabase)];
});
after(async () => {
  await otherDatabase.close();
  await scene.verifyAndClose();
});

interface Payment {
  readonly attempt: PaymentAttempt;
  readonly orderId: string;
  /** The provider's book: what it claims to have received, by receipt key. */
  readonly received: Map<string, { readonly currency: Currency; readonly minor: bigint }>;
}

const MERCHANTS: readonly Readonly<Record<string, string>>[] = [
  { mismatch_policy: 'hold', form_attempts: '3' },
  { mismatch_policy: 'credit', 'fee_percent.card.EUR': '2' },
  { mismatch_policy: 'hold', 'fee_fixed.card.EUR': '0.50' },
];
const AMOUNTS = [null, 1n, 3_000n, 4_000n, 6_000n, 7_000n, 10_000n, 15_000n] as const;
const KINDS: readonly LaterNews['kind'][] = [
  'refunded',
  'refunded',
  'charged_back',
  'charged_back',
  'debited',
  'refund_undone',
  'chargeback_undone',
];
const KEYS = ['K1', 'K2', 'K3'];

let payers = 0;

async function openScene(name: string, choices: Choices) {
  const { bench, cards } = scene;
  const owners = MERCHANTS.map((settings, index) => bench.merchant(`${name}${'abc'[index]}`, settings));
  const ids = owners.map(({ merchantId }) => merchantId);
  const payments: Payment[] = [];
  for (let index = 0; index < PAYMENTS; index++) {
    const owner = choices.oneOf(owners);
    const orderId = `O${index}`;
    const session = await cards.openedForm(owner, { orderId, isSigned: index % 2 === 0 });
    const payer = ++payers;
    const ip = `2001:db8:${(payer >> 12).toString(16)}:${(payer & 0xfff).toString(16)}::1`;
    const tried = await cards.attemptOnce(owner, { session, ip, card: cardOf(`4${`${payer}`.padStart(15, '0')}`) });
    assert.ok(tried.ok, JSON.stringify(!tried.ok && tried.error.kind));
    payments.push({ attempt: tried.value, orderId, received: new Map() });
  }

  const process = () => choices.oneOf(processes);
  const attemptOf = async ({ attempt }: Payment, { payments: store } = process()) => {
    const due = await store.findDue(attempt);
    assert.ok(due);
    return due.attempt;
  };

  /** The provider reports a receipt. The event is drawn now and happens when the function is called. */
  function pay(payment: Payment): () => Promise<unknown> {
    const key = choices.oneOf(['E1', 'E1', 'E1', 'E2', 'E3']);
    const drawn = choices.oneOf([10_000n, 10_000n, 10_000n, 4_000n, 15_000n]);
    const currency: Currency = choices.between(1, 12) === 1 ? 'KZT' : 'EUR';
    const money = payment.received.get(key) ?? { currency, minor: drawn };
    payment.received.set(key, money);
    const through = process();
    return async () =>
      through.settle(payment.attempt, { ...PAID_ANSWER, money, receiptKey: key, providerReference: key });
  }

  function adjust(payment: Payment): () => Promise<unknown> {
    const through = [process(), process(), process()].slice(0, choices.oneOf([1, 1, 2, 3]));
    const kind = choices.oneOf(KINDS);
    const minor = choices.oneOf(AMOUNTS);
    const currency: Currency = choices.between(1, 10) === 1 ? 'KZT' : 'EUR';
    const receiptKey = choices.oneOf([undefined, undefined, undefined, 'E1', 'E2']);
    const news: LaterNews = {
      kind,
      key: choices.oneOf(KEYS),
      detail: '',
      money: minor === null ? null : { currency, minor },
      ...(receiptKey && !kind.endsWith('undone') ? { receiptKey } : {}),
    };
    return () => Promise.all(through.map(async (each) => each.adjust(await attemptOf(payment, each), news)));
  }

  function refund({ attempt: { merchantId, transactionId } }: Payment): () => Promise<unknown> {
    const amount = choices.oneOf([null, '10', '40', '60', '100']);
    const through = process();
    return () => through.refund({ merchantId, transactionId, amount, reason: 'the payer wrote' });
  }

  /** Returns a relative position, from 0 to 1, in a list that is read when the action runs. */
  const place = () => choices.between(0, 999) / 1_000;
  const at = <Item>(items: readonly Item[], where: number) => items[Math.floor(where * items.length)];

  async function held() {
    const { rows } = await bench.owner.query<{ rail: string; transfer_key: string; merchant_id: string }>(
      `select rail, transfer_key, merchant_id from incoming_transfers where state = 'held' and merchant_id = any($1) order by 2`,
      [ids],
    );
    return rows.map(({ rail, transfer_key: transferKey }) => ({ rail, transferKey }));
  }

  function resolve(): () => Promise<unknown> {
    const [where, target, through] = [place(), choices.oneOf(payments), process()];
    const isOwn = choices.between(1, 3) === 1;
    const to = isOwn ? null : { merchantId: target.attempt.merchantId, orderId: target.orderId };
    return async () => {
      const transfer = at(await held(), where);
      return transfer && through.resolve({ ...transfer, to, reason: 'the payer wrote' });
    };
  }

  function returnHeld(): () => Promise<unknown> {
    const [where, through] = [place(), process()];
    return async () => {
      const transfer = at(await held(), where);
      return transfer && through.returnTransfer({ ...transfer, reason: 'nobody knows it' });
    };
  }

  async function ownPayouts(): Promise<OwnPayout[]> {
    const { rows } = await bench.owner.query<OwnPayout>(
      `select p.merchant_id as "merchantId", p.payout_id as "payoutId", p.state, p.fields->>'payment' as payment, a.reference
       from payouts as p
       join payout_attempts as a on a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.attempt = 1
       where p.purpose in ('refund', 'return') and p.merchant_id = any($1) order by 1, 2`,
      [ids],
    );
    return rows;
  }

  /** Reports mostly what an honest bank would report next about the payout. */
  function endPayout(): () => Promise<unknown> {
    const [where, through, isLie, isByNews] = [place(), process(), choices.between(1, 6) === 1, choices.between(1, 2)];
    const pending = choices.oneOf(['executed', 'executed', 'declined'] as const);
    const lie = choices.oneOf(['executed', 'declined', 'reversed'] as const);
    return async () => {
      const payout = at(await ownPayouts(), where);
      if (!payout) return undefined;
      const honest = payout.state === 'pending' ? pending : payout.state === 'success' ? 'reversed' : 'declined';
      return end(through, payout, isLie ? lie : honest, isByNews === 1);
    };
  }

  async function end(through: Process, payout: OwnPayout, event: PayoutEvent, isByNews: boolean): Promise<unknown> {
    const payment = payments.find(({ attempt }) => attempt.reference === payout.payment);
    const kind = { executed: 'refunded', reversed: 'refund_undone' }[event as string] as LaterNews['kind'] | undefined;
    if (isByNews && payment && kind)
      return through.adjust(await attemptOf(payment, through), {
        kind,
        key: payout.reference,
        money: null,
        detail: '',
      });
    const { merchantId, payoutId } = payout;
    return through.settlePayout({ merchantId, payoutId }, null, reportOf(event, { actor: RAIL }));
  }

  /** Sends a signed request for the order of a payment, which may come from an unsigned form. */
  function sign({ attempt: { merchantId }, orderId }: Payment): () => Promise<unknown> {
    const owner = owners.find((each) => each.merchantId === merchantId);
    assert.ok(owner);
    const payer = ++payers;
    const isForm = choices.between(1, 2) === 1;
    return async () => {
      if (!isForm) return bench.open(owner, orderId);
      const session = await cards.openedForm(owner, { orderId, visitorHash: Buffer.from([payer % 250]) });
      const ip = `2001:db8:${(payer >> 12).toString(16)}:${(payer & 0xfff).toString(16)}::1`;
      return cards.attemptOnce(owner, { session, ip, card: cardOf(`4${`${payer}`.padStart(15, '0')}`) });
    };
  }

  function fund(): () => Promise<unknown> {
    const [merchantId, through, amount] = [choices.oneOf(ids), process(), BigInt(choices.between(1, 9_000))];
    const reference = `${name}-${choices.between(1, 1e9)}`;
    const order = { merchantId, currency: 'EUR', amount, reference } as const;
    return () => through.ledger.post(merchantId, 'EUR', 'test', (balances) => fundMerchant(order, balances));
  }

  function payOut(): () => Promise<unknown> {
    const [merchantId, minor] = [choices.oneOf(ids), BigInt(choices.between(1, 9_000))];
    const payoutId = `P${choices.between(1, 1e9)}`;
    return async () => bench.payouts.accept(await bench.newPayout(merchantId, payoutId, minor));
  }

  function act(): () => Promise<unknown> {
    const payment = choices.oneOf(payments);
    const acts: readonly (readonly [weight: number, draw: () => () => Promise<unknown>])[] = [
      [6, () => pay(payment)],
      [12, () => adjust(payment)],
      [6, () => refund(payment)],
      [4, () => resolve()],
      [2, () => returnHeld()],
      [5, () => endPayout()],
      [2, () => sign(payment)],
      [2, () => fund()],
      [1, () => payOut()],
      [2, () => process().claim],
      [2, () => process().collectExcess],
    ];
    return choices.oneOf(acts.flatMap(([weight, draw]) => Array<typeof draw>(weight).fill(draw)))();
  }

  /** Completes every payout, and collects the outstanding debts. */
  async function finish(): Promise<void> {
    bench.clock.advance(10);
    await processes[0]?.claim();
    for (const payout of await ownPayouts())
      if (payout.state === 'pending') await end(process(), payout, choices.oneOf(['executed', 'declined']), false);
    for (const each of processes) await each.collectExcess();
  }

  for (const payment of payments.slice(0, PAID_FIRST)) await pay(payment)();
  return { ids, payments, act, finish };
}

interface OwnPayout {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly state: string;
  readonly payment: string | null;
  readonly reference: string;
}

/** Our money at the provider must equal what it received, minus what it took back and what it paid out for us. */
async function assertBooksAgree({ ids, payments }: Awaited<ReturnType<typeof openScene>>): Promise<void> {
  const { owner } = scene.bench;
  for (const currency of ['EUR', 'KZT'] as const) {
    const received = payments
      .flatMap(({ received: receipts }) => [...receipts.values()])
      .reduce((sum, money) => sum + (money.currency === currency ? money.minor : 0n), 0n);
    const { rows } = await owner.query<{ clearing: bigint; taken: bigint; sent: bigint }>(
      `select
         (select coalesce(-sum(balance), 0)::bigint from ledger_accounts
          where merchant_id = any($1) and currency = $2 and account = 'clearing:${RAIL}') as clearing,
         (select coalesce(sum(case when kind like '%undone' then -posted else posted end), 0)::bigint
          from deposit_adjustments where merchant_id = any($1) and currency = $2) as taken,
         (select coalesce(sum(p.amount), 0)::bigint from payouts as p
          cross join lateral (
            select coalesce(array_agg(j.kind), '{}') as kinds from payout_adjustments as j
            where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id) as j
          where p.merchant_id = any($1) and p.currency = $2 and p.rail = '${RAIL}'
            and (p.state = 'success' or j.kinds @> '{late_execution}') and not j.kinds @> '{reversed}') as sent`,
      [ids, currency],
    );
    const [row] = rows;
    assert.ok(row);
    assert.equal(BigInt(row.clearing), received - BigInt(row.taken) - BigInt(row.sent), currency);
  }
}

/**
 * A reversal that did not return its money must have an open difference, and a receipt of its payment must have been returned
 * to the payer.
 */
async function assertUngivenIsReturned(ids: readonly string[]): Promise<void> {
  const { rows } = await scene.bench.owner.query(
    `select u.merchant_id, u.transaction_id, u.kind, u.key, u.amount, u.posted, t.posted as taken from deposit_adjustments as u
     join payment_attempts as a on a.merchant_id = u.merchant_id and a.transaction_id = u.transaction_id and a.attempt = u.attempt
     join deposit_adjustments as t on t.merchant_id = u.merchant_id and t.transaction_id = u.transaction_id
       and t.attempt = u.attempt and t.key = u.key and t.currency = u.currency
       and t.kind = case u.kind when 'refund_undone' then 'refunded' when 'chargeback_undone' then 'charged_back' end
     where u.merchant_id = any($1) and t.posted - greatest(t.amount - u.amount, 0) > u.posted
       and not (
         exists (
           select from differences as d
           where d.kind = 'excess' and d.resolved_at is null and d.rail = a.rail
             and d.subject = a.reference || '/' || u.kind || '/' || u.key)
         and exists (
           select from transfers_in as r
           where r.merchant_id = a.merchant_id and r.rail = a.rail and r.pay_to = a.reference and r.status = 'returned'))`,
    [ids],
  );
  assert.deepEqual(rows, []);
}

/** A report whose full amount was not posted must have an open difference, and the missing money must be unavailable. */
async function assertRestIsShort(ids: readonly string[]): Promise<void> {
  const { rows } = await scene.bench.owner.query<{
    merchant_id: string;
    key: string;
    kind: string;
    rest: bigint;
    open: boolean;
  }>(
    `select t.merchant_id, t.kind, t.key,
       t.amount - coalesce(u.amount, 0) - (t.posted - coalesce(u.posted, 0)) as rest,
       exists (
         select from differences as d
         join payment_attempts as a on a.merchant_id = t.merchant_id and a.transaction_id = t.transaction_id and a.attempt = t.attempt
         where d.kind = 'excess' and d.resolved_at is null and d.rail = a.rail
           and d.subject = a.reference || '/' || t.kind || '/' || t.key) as open
     from deposit_adjustments as t
     left join deposit_adjustments as u on u.merchant_id = t.merchant_id and u.transaction_id = t.transaction_id
       and u.attempt = t.attempt and u.key = t.key and u.currency = t.currency
       and u.kind = case t.kind when 'refunded' then 'refund_undone' when 'charged_back' then 'chargeback_undone' end
     where t.merchant_id = any($1) and t.kind in ('refunded', 'charged_back', 'debited')`,
    [ids],
  );
  const wrong = rows.filter(({ rest, open }) => BigInt(rest) > 0n !== open);
  assert.deepEqual(wrong, []);
}

test('the ledger equals the provider’s book after reports, refunds, returns and moves of held money in any order', async () => {
  const choices = createChoices('later reports');
  const counts = new Map<string, number>();
  for (let index = 0; index < SCENES; index++) {
    const stage = await openScene(`later${index}`, choices);
    for (let step = 0; step < STEPS; step++) {
      // A receipt that follows a report is recorded at a later time.
      scene.bench.clock.advance(choices.oneOf([1, 1, 1, 1, 1_000, 60_000, 7_200_000]));
      const acts = Array.from({ length: choices.oneOf([1, 1, 2, MOST_AT_ONCE]) }, () => stage.act());
      for (const outcome of await Promise.all(acts.map((act) => act()))) count(counts, outcome);
    }
    await stage.finish();
    await assertBooksAgree(stage);
    const broken = (await verifyInvariants(scene.bench.database)).filter(({ holds }) => !holds);
    assert.deepEqual(broken, [], `scene ${index}`);
    await assertRestIsShort(stage.ids);
    await assertUngivenIsReturned(stage.ids);
  }
  for (const outcome of ['recorded', 'excess', 'known', 'settled', 'true']) assert.ok(counts.has(outcome), outcome);
});

/** Counts the outcomes by name, so that a run without some kind of outcome is noticed. */
function count(counts: Map<string, number>, outcome: unknown): void {
  for (const each of [outcome].flat()) {
    const { kind, ok } = (each ?? {}) as { kind?: string; ok?: boolean };
    const name = typeof each === 'string' ? each : (kind ?? String(ok));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}
