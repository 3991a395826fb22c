/** Card payments on a real database without a listener: forms, a provider with configurable responses, limits and a log. */
import assert from 'node:assert/strict';
import type { Merchant } from '../../../src/domain/merchants/merchant.ts';
import { DEFAULT_ATTEMPT_LIMITS } from '../../../src/domain/payments/attempts/attempt-limits.ts';
import type { PaymentParts } from '../../../src/domain/payments/attempts/payment-parts.ts';
import type { CompareReport } from '../../../src/domain/payments/attempts/settle-attempt.ts';
import { startAttempt } from '../../../src/domain/payments/attempts/start-attempt.ts';
import { createToken, type FormSession, hashOfToken } from '../../../src/domain/payments/form-session.ts';
import type {
  PaymentAnswer,
  PaymentCard,
  PaymentRail,
  PaymentStatus,
} from '../../../src/domain/payments/payment-rail.ts';
import type { PaymentStore } from '../../../src/domain/payments/payment-store.ts';
import type { WalletPayment } from '../../../src/domain/payments/wallet.ts';
import { compareReport } from '../../../src/domain/reconciliation/compare-payment-report.ts';
import { createSeededRandom } from '../../../src/foundation/random.ts';
import { Secret } from '../../../src/foundation/secret.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { createHooks } from '../../../src/main/observability/hooks.ts';
import { createLog } from '../../../src/main/observability/log.ts';
import { createMetrics } from '../../../src/main/observability/metrics.ts';
import { createDifferenceStore } from '../../../src/storage/differences/difference-store.ts';
import { verifyInvariants } from '../../../src/storage/invariants/verify-invariants.ts';
import { createPaymentStore } from '../../../src/storage/payments/payment-store.ts';
import { type DepositBench, openDepositBench } from '../deposits/stored-deposits.ts';
import { limitParts, testVault } from './limit-parts.ts';
import { testPayer } from './test-payer.ts';
import { testFormSession, testPaymentRail } from './test-payment-rail.ts';

/** The CVV is longer than a real one, so that random bytes cannot contain it, in any encoding, by chance. */
export const PLANTED = { number: '4929420573595709', cvv: 'PlantedCvv7391', holder: 'PLANTED HOLDER' } as const;
export const MASK = '492942******5709';

export const ACT: PaymentAnswer = {
  kind: 'step',
  step: { kind: 'redirect', url: 'https://acs.example/' },
  keep: 'kept',
  providerReference: 'P1',
};
export const DECIDING: PaymentAnswer = { kind: 'pending', isAuthorised: true, keep: '', providerReference: 'P1' };
export const SILENT: PaymentAnswer = { kind: 'unknown', reason: 'timed out' };
export const NOT_ACCEPTED: PaymentAnswer = { kind: 'not_accepted', reason: 'no connection' };
export const PAID: PaymentAnswer = {
  kind: 'paid',
  money: { currency: 'EUR', minor: 10_000n },
  payerAccount: '492942******5709',
  providerReference: 'P1',
};
export const REFUSED: PaymentAnswer = {
  kind: 'refused',
  refusal: 'declined',
  canRetry: true,
  detail: '05',
  providerReference: 'P1',
};

/** A payer with an IP address of a documentation network. */
export const payer = testPayer({
  userId: 'u1',
  firstName: 'José',
  lastName: 'Muñoz',
  email: 'j@example.com',
  country: 'DE',
});

export function cardOf(number: string): PaymentCard {
  const { cvv, holder } = PLANTED;
  return { number: new Secret(number), cvv: new Secret(cvv), expiry: new Secret('11/38'), holder };
}

export interface Try {
  /** Defaults to the planted card. */
  readonly card?: PaymentCard | WalletPayment;
  readonly ip?: string;
  /** Defaults to a new session. */
  readonly session?: FormSession;
  readonly parts?: PaymentParts;
}

export interface Provider {
  /** The provider's response to every call. */
  says: PaymentAnswer | PaymentStatus;
  /** The cards that the provider received. */
  readonly given: (PaymentCard | null)[];
}

function railOf(provider: Provider): PaymentRail {
  return testPaymentRail({
    name: 'card-rail',
    paymentType: 'card',
    async start(_order, card) {
      provider.given.push(card && 'wallet' in card ? null : card);
      return provider.says as PaymentAnswer;
    },
    handleReturn: async () => provider.says as PaymentAnswer,
    ask: async () => provider.says as PaymentStatus,
  });
}

function sessionOf(merchantId: string, sessionId: string, createdAt: number): FormSession {
  return testFormSession({ merchantId, sessionId, orderId: sessionId, createdAt });
}

function logInto(lines: string[], { clock }: DepositBench) {
  return createLog({ level: 'debug', clock, destination: { write: (line: string) => void lines.push(line) } });
}

function compareOver({ database, store: transfers, clock }: DepositBench, payments: PaymentStore): CompareReport {
  return withParts(compareReport, { payments, transfers, differences: createDifferenceStore(database), clock });
}

export type CardPayments = Awaited<ReturnType<typeof openCardPayments>>;

/** Rejects if an invariant does not hold. Closes in every case. */
export async function verifyAndClose({ bench }: CardPayments): Promise<void> {
  const invariants = await verifyInvariants(bench.database).finally(() => bench.close());
  const broken = invariants.filter(({ holds }) => !holds);
  assert.deepEqual(broken, []);
}

/** Uses the limits of production. */
export async function openCardPayments() {
  const bench = await openDepositBench();
  const store = createPaymentStore(bench.database, bench.clock);
  const random = createSeededRandom('cards');
  const vault = testVault();
  const metrics = createMetrics();
  const lines: string[] = [];
  const alerts: string[] = [];
  const log = logInto(lines, bench);
  const hooks = createHooks({ log, metrics, raise: (kind, detail) => void alerts.push(`${kind}: ${detail}`) });
  const provider: Provider = { says: REFUSED, given: [] };
  const rail = railOf(provider);

  const partsOver = (over: PaymentStore = store, ownRail = rail): PaymentParts => ({
    store: over,
    rails: [ownRail],
    merchants: bench.parts.merchants,
    compose: bench.parts.compose,
    compareReport: compareOver(bench, over),
    clock: bench.clock,
    random,
    canEmail: true,
    nextTransactionId: () => bench.payouts.nextTransactionId(),
    clockIsRight: async () => true,
    limits: limitParts({
      vault,
      defaultLimits: DEFAULT_ATTEMPT_LIMITS.production,
      onAttemptLimitReached: hooks.onAttemptLimitReached,
    }),
    onOpened: hooks.onDepositOpened,
    onEnded: hooks.onDepositEnded,
    onSettled: hooks.onAttemptChanged,
    onRailCall: hooks.onRailCall,
  });

  /** Opens a signed form with a new order. `change` overrides fields. */
  async function openedForm({ merchantId }: Merchant, change: Partial<FormSession> = {}): Promise<FormSession> {
    const session = { ...sessionOf(merchantId, random.uuid(), bench.clock.now()), ...change };
    await store.openSession(session, hashOfToken(createToken(random)));
    return session;
  }

  async function attemptOnce(merchant: Merchant, wanted: Try = {}) {
    const { card = cardOf(PLANTED.number), ip = payer.ip, parts = partsOver() } = wanted;
    const session = wanted.session ?? (await openedForm(merchant));
    const given = {
      session,
      merchant,
      paymentType: 'card',
      returnUrl: () => 'https://pay.example/return',
      card,
      attemptsSeen: 9,
    } as const;
    return startAttempt(parts, { ...given, payer: { ...payer, ip } });
  }

  return {
    bench,
    store,
    vault,
    hooks,
    metrics,
    lines,
    alerts,
    provider,
    rail,
    partsOver,
    openedForm,
    attemptOnce,
    /** Returns the state of the attempt, such as `paid` or `refused`, or the reason why there is no attempt. */
    async outcomeOf(merchant: Merchant, wanted: Try = {}): Promise<string> {
      const result = await attemptOnce(merchant, wanted);
      return result.ok ? result.value.state : result.error.kind;
    },
    async recordsInVault(merchantId: string): Promise<number> {
      const { rows } = await bench.owner.query('select from vault_records where merchant_id = $1', [merchantId]);
      return rows.length;
    },
  };
}
