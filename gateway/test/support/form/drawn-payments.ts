/**
 * Form payments on a real database and a manual clock, each through a real connector with drawn provider responses. The
 * actions are drawn too: returns, notifications, rounds of the worker, further attempts, and time.
 */

import assert from 'node:assert/strict';
import { expireDeposits } from '../../../src/domain/deposits/expire-deposits.ts';
import type { OverduePayment } from '../../../src/domain/monitoring/overdue-store.ts';
import { type AskParts, askDuePayments } from '../../../src/domain/payments/attempts/ask-payments.ts';
import { handleReturn } from '../../../src/domain/payments/attempts/handle-return.ts';
import { abandonAttempt } from '../../../src/domain/payments/attempts/leave-payment.ts';
import { deadlinesOf } from '../../../src/domain/payments/attempts/payment-deadline.ts';
import type { PaymentParts, SubmittedPayment } from '../../../src/domain/payments/attempts/payment-parts.ts';
import { processPaymentNotification } from '../../../src/domain/payments/attempts/process-payment-notification.ts';
import { startAttempt } from '../../../src/domain/payments/attempts/start-attempt.ts';
import { createToken, type FormSession, hashOfToken } from '../../../src/domain/payments/form-session.ts';
import type { PaymentNews, PaymentOrder, PaymentRail } from '../../../src/domain/payments/payment-rail.ts';
import type { PaymentStore, SessionRecord } from '../../../src/domain/payments/payment-store.ts';
import { createSeededRandom, type Random } from '../../../src/foundation/random.ts';
import { paymentCard } from '../../../src/rails/adyen/rail-under-test.ts';
import type { ProviderReply, ProviderRequest } from '../../../src/rails/kit/provider-http.ts';
import { verifyInvariants } from '../../../src/storage/invariants/verify-invariants.ts';
import { createOverdueStore } from '../../../src/storage/monitoring/overdue-store.ts';
import { createPaymentStore } from '../../../src/storage/payments/payment-store.ts';
import { type DepositBench, openDepositBench } from '../deposits/stored-deposits.ts';
import type { DrawnProvider, DrawnReply } from './drawn-provider.ts';
import { limitParts } from './limit-parts.ts';
import { testPayer } from './test-payer.ts';
import { testFormSession } from './test-payment-rail.ts';

export const NEWS = ['paid', 'paid another amount', 'refused', 'pending', 'ask'] as const;

export type Act =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'work' | 'try' | 'give_up' }
  | { readonly kind: 'return'; readonly which: number }
  | { readonly kind: 'news'; readonly news: (typeof NEWS)[number] }
  /** Actions that several processes perform concurrently. */
  | { readonly kind: 'together'; readonly acts: readonly Act[] };

export interface Outcome extends SessionRecord {
  /** The entries about this payment in the operator's list. */
  readonly overdue: readonly OverduePayment[];
  /** The number of callbacks with the deposit's result. */
  readonly results: number;
  /** How often the provider reported a full payment of this deposit. */
  readonly proofs: number;
}

interface Scene {
  readonly bench: DepositBench;
  readonly store: PaymentStore;
  readonly random: Random;
}

const nothing = () => {};

export async function openDrawnPayments() {
  const bench = await openDepositBench();
  const scene: Scene = {
    bench,
    store: createPaymentStore(bench.database, bench.clock),
    random: createSeededRandom('drawn payments'),
  };
  let runs = 0;
  return {
    async run(provider: DrawnProvider, replies: readonly DrawnReply[], acts: readonly Act[]): Promise<Outcome> {
      const payment = new DrawnPayment(scene, provider, replies, ++runs);
      await payment.open();
      for (const drawn of acts) await payment.act(drawn);
      await payment.passDeadline();
      return payment.outcome();
    },
    async verifyAndClose(): Promise<void> {
      const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
      await bench.close();
      assert.deepEqual(broken, []);
    },
  };
}

/** One payment with its own merchant and its own rail. */
class DrawnPayment {
  readonly #scene: Scene;
  readonly #provider: DrawnProvider;
  readonly #rail: PaymentRail;
  readonly #parts: AskParts & PaymentParts;
  readonly #tally = { proofs: 0 };
  readonly #token: string;
  readonly #wanted: Omit<SubmittedPayment, 'attemptsSeen'>;

  constructor(scene: Scene, provider: DrawnProvider, replies: readonly DrawnReply[], run: number) {
    const { bench, store, random } = scene;
    const { clock } = bench;
    this.#scene = scene;
    this.#provider = provider;
    this.#rail = { ...drawnRail(provider, replies, this.#tally, () => clock.now()), name: `rail-${run}` };
    this.#token = createToken(random);
    const merchant = bench.merchant(`drawn-${run}`);
    this.#parts = {
      store,
      rails: [this.#rail],
      merchants: bench.parts.merchants,
      compose: bench.parts.compose,
      compareReport: async () => {},
      clock,
      random,
      nextTransactionId: () => bench.payouts.nextTransactionId(),
      canEmail: false,
      clockIsRight: async () => true,
      limits: limitParts(),
      recordAdjustment: async () => 'recorded',
      onOpened: nothing,
      onEnded: nothing,
      onSettled: nothing,
      onRailCall: nothing,
    };
    this.#wanted = {
      session: sessionOf(merchant.merchantId, provider, random, clock.now()),
      merchant,
      paymentType: this.#rail.paymentType,
      payer: testPayer(provider.payer),
      card: this.#rail.paymentType === 'card' ? paymentCard('4111111111111111') : null,
      returnUrl: () => 'https://pay.example/return?attempt=secret',
    };
  }

  async open(): Promise<void> {
    await this.#scene.store.openSession(this.#wanted.session, hashOfToken(this.#token));
    await this.act({ kind: 'try' });
  }

  async act(drawn: Act): Promise<void> {
    if (drawn.kind === 'together') {
      await Promise.all(drawn.acts.map((each) => this.act(each)));
      return;
    }
    const { session, deposit, attempts } = await this.#look();
    const attempt = attempts.at(-1);
    if (drawn.kind === 'time') this.#scene.bench.clock.advance(drawn.ms);
    if (drawn.kind === 'work') await this.#work();
    if (drawn.kind === 'try')
      await startAttempt(this.#parts, { ...this.#wanted, session, attemptsSeen: attempts.length });
    if (!attempt || !deposit) return;
    if (drawn.kind === 'give_up') await abandonAttempt(this.#parts, attempt, deposit);
    if (drawn.kind === 'return') {
      const { returns } = this.#provider;
      const fields = returns[drawn.which % returns.length] ?? {};
      await handleReturn(this.#parts, attempt, deposit, this.#wanted, { fields });
    }
    if (drawn.kind === 'news') {
      if (drawn.news === 'paid') this.#tally.proofs += 1;
      const about = { reference: attempt.reference, money: deposit.money };
      const news = newsOf(drawn.news, about, this.#provider.providerReference(attempt.reference));
      await processPaymentNotification(this.#parts, this.#rail.name, news);
    }
  }

  /** Advances the clock past the deadline while the worker runs. */
  async passDeadline(): Promise<void> {
    const { clock } = this.#scene.bench;
    const { deposit } = await this.#look();
    const { timeoutMs, decidesWithinMs } = this.#rail;
    const deadline = (deposit?.closesAt ?? clock.now()) + timeoutMs + decidesWithinMs;
    for (let step = 6; step > 0; step--) {
      await this.#work();
      clock.advance(Math.max(0, Math.ceil((deadline - clock.now()) / step)));
    }
    await this.#work();
  }

  async outcome(): Promise<Outcome> {
    const { database, clock } = this.#scene.bench;
    const { merchantId } = this.#wanted.merchant;
    const query = { now: clock.now(), deadlines: deadlinesOf([this.#rail]), limit: 10_000 };
    const overdue = await createOverdueStore(database).payments(query);
    const [counted] = await database.query<{ count: bigint }>(
      `select count(*) as count from callbacks where merchant_id = $1 and callback_id like 'deposit\\_%'`,
      [merchantId],
    );
    return {
      ...(await this.#look()),
      overdue: overdue.filter((each) => each.merchantId === merchantId),
      results: Number(counted?.count),
      proofs: this.#tally.proofs,
    };
  }

  async #look(): Promise<SessionRecord> {
    const found = await this.#scene.store.findSession(hashOfToken(this.#token));
    assert.ok(found);
    return found;
  }

  async #work(): Promise<void> {
    const { bench } = this.#scene;
    await askDuePayments(this.#parts, this.#rail, 10);
    const ending = { ...bench.parts, store: bench.store, onEnded: nothing };
    await expireDeposits(ending, new AbortController().signal);
  }
}

function sessionOf(merchantId: string, { currency }: DrawnProvider, random: Random, now: number): FormSession {
  const money = { currency, minor: 10_000n };
  return testFormSession({ merchantId, sessionId: random.uuid(), createdAt: now, money });
}

function newsOf(
  drawn: (typeof NEWS)[number],
  { reference, money }: Pick<PaymentOrder, 'reference' | 'money'>,
  providerReference: string,
): PaymentNews {
  switch (drawn) {
    case 'paid':
      return { kind: 'paid', reference, money, payerAccount: '', providerReference };
    case 'paid another amount':
      return { kind: 'paid', reference, money: { ...money, minor: 1n }, payerAccount: '', providerReference };
    case 'refused':
      return { kind: 'refused', reference, refusal: 'declined', canRetry: true, detail: '', providerReference };
    case 'pending':
      return { kind: 'pending', reference, isAuthorised: false, keep: '', providerReference };
    case 'ask':
      return { kind: 'ask', reference };
  }
}

const NO_ANSWER = { kind: 'no_answer' } as const;
const NO_REPLY = { kind: 'no_answer', reason: 'no response in time' } as const;

function written(
  provider: DrawnProvider,
  drawn: DrawnReply,
  about: PaymentOrder,
  request: ProviderRequest,
  tally: { proofs: number },
): ProviderReply {
  switch (drawn.kind) {
    case 'no_answer':
      return NO_REPLY;
    case 'not_connected':
      return { kind: 'not_connected', reason: 'no connection' };
    case 'raw':
      return { kind: 'answered', status: drawn.status, body: Buffer.from(drawn.body) };
    case 'word': {
      const { status, body, isProof } = provider.write(drawn.word, drawn.flaw, about, request);
      if (isProof) tally.proofs += 1;
      return { kind: 'answered', status, body: Buffer.from(JSON.stringify(body)) };
    }
  }
}

/**
 * The connector, wrapped so that it knows the object of each query, which drawn responses may name. The last response repeats.
 */
function drawnRail(
  provider: DrawnProvider,
  replies: readonly DrawnReply[],
  tally: { proofs: number },
  now: () => number,
): PaymentRail {
  let asked = 0;
  let about: PaymentOrder | undefined;
  const rail = provider.rail(
    async (request: ProviderRequest): Promise<ProviderReply> => {
      const drawn = replies[Math.min(asked++, replies.length - 1)] ?? NO_ANSWER;
      return about ? written(provider, drawn, about, request, tally) : NO_REPLY;
    },
    { now, sleep: async () => {} },
  );
  const { cancel } = rail;
  return {
    ...rail,
    start: (order, card, deadline) => rail.start(remembered(order), card, deadline),
    handleReturn: (order, returned, deadline) => rail.handleReturn(remembered(order), returned, deadline),
    ask: (order, deadline) => rail.ask(remembered(order), deadline),
    ...(cancel ? { cancel: (order, deadline) => cancel(remembered(order), deadline) } : {}),
  } as PaymentRail;

  function remembered(order: PaymentOrder): PaymentOrder {
    about = order;
    return order;
  }
}
