/**
 * The hosted form over real HTTP and a real database. Its rails return the responses that a test sets, and its payers read the
 * pages and use their controls. A payer has the abilities of a browser without JavaScript: URLs, links and forms.
 */

import assert from 'node:assert/strict';
import { keysByPurpose, type MerchantWithKeys, withValidKeys } from '../../../src/domain/merchants/merchant.ts';
import { FORM_PAYMENT_TYPES, type FormPaymentType, PAYMENT_TYPES } from '../../../src/domain/methods/payment-type.ts';
import type { PaymentParts } from '../../../src/domain/payments/attempts/payment-parts.ts';
import { hashOfToken } from '../../../src/domain/payments/form-session.ts';
import type {
  PayerReturn,
  PaymentAnswer,
  PaymentCard,
  PaymentOrder,
  PaymentRail,
  PaymentStatus,
} from '../../../src/domain/payments/payment-rail.ts';
import type { PaymentStore, SessionRecord } from '../../../src/domain/payments/payment-store.ts';
import { createSeededRandom } from '../../../src/foundation/random.ts';
import { errorBodyFor } from '../../../src/protocol/error-envelopes.ts';
import { loadFormAssets } from '../../../src/protocol/form/assets/page-assets.ts';
import { formRoutes } from '../../../src/protocol/form/form-routes.ts';
import type { FormParts } from '../../../src/protocol/form/form-visit.ts';
import { createHttpServer, type HttpServerOptions } from '../../../src/protocol/http/http-server.ts';
import { createPaymentStore } from '../../../src/storage/payments/payment-store.ts';
import { type DepositBench, openDepositBench } from '../deposits/stored-deposits.ts';
import { testKey } from '../merchants/merchant-keys.ts';
import { type MerchantChange, merchantNamed } from '../merchants/merchant-named.ts';
import { WIRE_FORM_KEY, WIRE_KEY } from '../merchants/wire-merchants.ts';
import { createFormPayer, type FormPayer } from './form-payer.ts';
import { type FormChange, formParameters } from './form-request.ts';
import { limitParts } from './limit-parts.ts';
import { testPaymentRail } from './test-payment-rail.ts';

type Answer = PaymentAnswer | PaymentStatus;

interface RailCall {
  readonly call: 'start' | 'handle_return' | 'ask' | 'cancel';
  readonly rail: string;
  readonly order: PaymentOrder;
  readonly card: PaymentCard | null;
  readonly returned: PayerReturn | null;
}

const SHOP = 'https://shop.example';
const BANKS = [
  { bankId: 'aareal', name: 'Aareal Bank', country: 'DE', bic: 'AARBDE5W' },
  { bankId: 'credit', name: 'Crédit Agricole', country: 'FR', bic: 'AGRIFRPP' },
  { bankId: 'santander', name: 'Banco Santander', country: 'ES', bic: '' },
] as const;

/** The calls that the providers received, and their next responses in order. */
interface Providers {
  readonly script: (Answer | Promise<Answer>)[];
  readonly calls: RailCall[];
}

interface FormStageOptions {
  /** The path prefix under which payers reach the gateway. */
  readonly publicPath?: string;
  readonly defaultFormRate?: number;
  readonly http?: Pick<HttpServerOptions, 'admission'>;
}

export type FormStage = Awaited<ReturnType<typeof openFormStage>>;

export async function openFormStage({ publicPath = '', defaultFormRate = 0, http = {} }: FormStageOptions = {}) {
  const bench = await openDepositBench();
  const merchants = new Map<string, MerchantWithKeys>();
  const providers: Providers = { script: [], calls: [] };
  const noted = { internalErrors: [] as unknown[], refused: [] as string[], limitedAttempts: [] as string[] };
  const find = async (merchantId: string) => {
    const found = merchants.get(merchantId);
    return found && withValidKeys(found, bench.clock.now());
  };
  const onInternalError = (error: unknown) => void noted.internalErrors.push(error);
  const listeners: PaymentListener[] = [];
  const payments: PaymentParts = {
    ...paymentParts(bench, providers),
    merchants: { find },
    limits: limitParts({
      onAttemptLimitReached: (merchantId, subject) => void noted.limitedAttempts.push(`${merchantId} ${subject}`),
    }),
    onSettled(attempt) {
      for (const listener of listeners) listener(attempt);
    },
  };
  const app = createHttpServer({ errorBody: errorBodyFor, trustedProxies: [], onInternalError, goodbyeMs: 0, ...http });
  const parts: FormParts = {
    payments,
    directory: { find, keyUsed: () => {} },
    bankDirectory: { banks: () => BANKS },
    keyedHash: payments.limits.vault.fingerprint,
    onPaymentChanged: (listener) => void listeners.push(listener),
    publicUrl: () => `https://pay.example${publicPath}`,
    defaultFormRate,
    onRejected: (merchantId, refusal) => void noted.refused.push(refusalText(merchantId, refusal)),
    onInternalError,
  };
  await app.register(formRoutes(parts, loadFormAssets()));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...providers,
    ...noted,
    ...recordsOf(payments.store),
    url,
    bench,
    payments,
    payer: (headers: Readonly<Record<string, string>> = {}): FormPayer => createFormPayer(url, headers),
    /** Adds a merchant with all optional URLs, WIRE_KEY and WIRE_FORM_KEY. */
    addMerchant(merchantId: string, change: MerchantChange = {}) {
      const urls = { siteUrl: SHOP, successUrl: `${SHOP}/paid?own=1`, failUrl: `${SHOP}/failed` };
      const keys = keysByPurpose([testKey(WIRE_KEY), testKey(WIRE_FORM_KEY, { purpose: 'form' })]);
      const merchant = merchantNamed(merchantId, { name: `Shop ${merchantId}`, ...urls, ...change });
      merchants.set(merchantId, { merchant, keys });
    },
    async close() {
      await app.close();
      await bench.close();
    },
  };
}

function refusalText(merchantId: string, refusal: Parameters<FormParts['onRejected']>[1]): string {
  return [merchantId, refusal.kind, 'field' in refusal ? refusal.field : ''].join(' ').trim();
}

type PaymentListener = Parameters<FormParts['onPaymentChanged']>[0];

function paymentParts(bench: DepositBench, providers: Providers): Omit<PaymentParts, 'merchants' | 'limits'> {
  return {
    store: createPaymentStore(bench.database, bench.clock),
    rails: FORM_PAYMENT_TYPES.map((type) => scriptedRail(type, providers)),
    compose: bench.parts.compose,
    compareReport: async () => {},
    clock: bench.clock,
    random: createSeededRandom('form stage'),
    nextTransactionId: () => bench.payouts.nextTransactionId(),
    clockIsRight: async () => true,
    canEmail: false,
    onOpened: () => {},
    onEnded: () => {},
    onSettled: () => {},
    onRailCall: () => {},
  };
}

function recordsOf(store: PaymentStore) {
  async function record(token: string): Promise<SessionRecord> {
    const found = await store.findSession(hashOfToken(token));
    assert.ok(found, 'no such session');
    return found;
  }
  return {
    record,
    /** Returns `deposit state, state of each attempt`. */
    async standing(token: string): Promise<string> {
      const { deposit, attempts } = await record(token);
      return [deposit?.state ?? 'none', ...attempts.map(({ state }) => state)].join(' ');
    },
  };
}

/** A parameter without a value is not sent. */
export function formLink(change: FormChange = {}): string {
  return `/payment/form?${new URLSearchParams([...formParameters(change)])}`;
}

const NEEDS: Readonly<Record<FormPaymentType, PaymentRail['needs']>> = {
  card: ['email'],
  open_banking: [],
  e_transfer: ['email', 'phone', 'firstName'],
  instant_bank: ['cpf', 'firstName', 'lastName'],
  bank_transfer_iframe: ['firstName', 'email'],
};

const TARGETS: Readonly<Record<FormPaymentType, PaymentRail['target']>> = {
  card: null,
  open_banking: null,
  e_transfer: 'email',
  instant_bank: 'cpf',
  bank_transfer_iframe: 'email',
};

function scriptedRail(paymentType: FormPaymentType, { script, calls }: Providers): PaymentRail {
  const name = `rail-${paymentType}`;
  async function called(
    call: RailCall['call'],
    order: PaymentOrder,
    card: PaymentCard | null,
    returned: PayerReturn | null,
  ) {
    calls.push({ call, rail: name, order, card, returned });
    const next = script.shift();
    assert.ok(next, `${name} received the call ${call} and has no response`);
    return next;
  }
  return testPaymentRail({
    name,
    paymentType,
    currencies: new Set(PAYMENT_TYPES[paymentType]),
    target: TARGETS[paymentType],
    needs: NEEDS[paymentType],
    frameOrigins: paymentType === 'bank_transfer_iframe' ? ['https://more.bank.example'] : [],
    start: async (order, card) =>
      (await called('start', order, card && 'wallet' in card ? null : card, null)) as PaymentAnswer,
    handleReturn: async (order, returned) => (await called('handle_return', order, null, returned)) as PaymentAnswer,
    ask: async (order) => (await called('ask', order, null, null)) as PaymentStatus,
    cancel: async (order) => (await called('cancel', order, null, null)) as PaymentStatus,
  });
}
