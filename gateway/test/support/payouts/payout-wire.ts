/**
 * The payout API over real HTTP with in-memory stores, for tests of the protocol without a database. The command behind
 * payout_send is the real one.
 */

import { createHmac } from 'node:crypto';
import type { Deposit } from '../../../src/domain/deposits/deposit.ts';
import type { DepositListQuery } from '../../../src/domain/deposits/deposit-store.ts';
import type { Balances } from '../../../src/domain/ledger/transfer.ts';
import {
  type AcceptPayoutParts,
  acceptPayout,
  type PayoutSubmission,
} from '../../../src/domain/payouts/accept-payout.ts';
import type { Payout } from '../../../src/domain/payouts/payout.ts';
import type { NewPayout, PayoutListQuery, PayoutStore } from '../../../src/domain/payouts/payout-store.ts';
import type { Recovery } from '../../../src/domain/recovery/recovery.ts';
import { createManualClock, type ManualClock } from '../../../src/foundation/clock.ts';
import { createSeededRandom } from '../../../src/foundation/random.ts';
import { fail, ok } from '../../../src/foundation/result.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { DEFAULT_RATES } from '../../../src/protocol/authentication/rate-limit.ts';
import { errorBodyFor } from '../../../src/protocol/error-envelopes.ts';
import { createHttpServer, type HttpServerOptions } from '../../../src/protocol/http/http-server.ts';
import { type PayoutWireParts, payoutRoutes } from '../../../src/protocol/payout/payout-routes.ts';
import { createWireMerchants, WIRE_START, type WireMerchants } from '../merchants/wire-merchants.ts';

export interface WireOptions {
  readonly defaultRates?: PayoutWireParts['defaultRates'];
  readonly http?: Partial<HttpServerOptions>;
  /** If true, delayed responses wait until the test advances the clock. Otherwise no response is delayed. */
  readonly holdDelays?: boolean;
  /** A promise that the response to a balance query waits for. */
  readonly beforeBalance?: () => Promise<void>;
  /** Replaces parts of the command behind payout_send. */
  readonly accept?: Partial<AcceptPayoutParts>;
}

export interface PayoutWire {
  readonly url: string;
  readonly clock: ManualClock;
  /** The reasons of rejections in order. */
  readonly refused: string[];
  readonly internalErrors: unknown[];
  /** The submissions to the domain in order. */
  readonly submissions: PayoutSubmission[];
  /** The text `merchant keyId` of each authentic request. */
  readonly keysUsed: string[];
  readonly payouts: Map<string, Payout>;
  readonly listQueries: PayoutListQuery[];
  readonly deposits: Deposit[];
  readonly depositListQueries: DepositListQuery[];
  /** While false, payouts get `insufficient_funds`. */
  funds: boolean;
  /** Undefined if the gateway was never restored. */
  recovery: Recovery | undefined;
  /** Ids of payouts that a provider listed and the gateway does not have. */
  readonly listed: Set<string>;
  readonly addMerchant: WireMerchants['add'];
  stop(): Promise<void>;
}

/** Starts a gateway in which merchant `M1` exists, with WIRE_KEY and default settings. */
export async function startPayoutWire(options: WireOptions = {}): Promise<PayoutWire> {
  const clock = createManualClock(WIRE_START);
  const merchants = createWireMerchants(clock);
  const wire = {
    url: '',
    clock,
    refused: [] as string[],
    internalErrors: [] as unknown[],
    submissions: [] as PayoutSubmission[],
    keysUsed: merchants.keysUsed,
    payouts: new Map<string, Payout>(),
    listQueries: [] as PayoutListQuery[],
    deposits: [] as Deposit[],
    depositListQueries: [] as DepositListQuery[],
    funds: true,
    recovery: undefined,
    listed: new Set<string>(),
    addMerchant: merchants.add,
    stop: () => app.close(),
  };
  const payouts = inMemoryPayouts(wire);
  const accept = withParts(acceptPayout, {
    store: payouts,
    vault,
    chooseRail,
    clock,
    onAccepted: () => {},
    ...options.accept,
  });
  const app = createHttpServer({
    errorBody: errorBodyFor,
    trustedProxies: [],
    onInternalError: (error) => wire.internalErrors.push(error),
    goodbyeMs: 0,
    ...options.http,
  });
  await app.register(
    payoutRoutes({
      directory: merchants.directory,
      acceptPayout: (submission) => {
        wire.submissions.push(submission);
        return accept(submission);
      },
      payouts,
      recovery: async () => wire.recovery,
      isListed: async ({ payoutId }) => wire.listed.has(payoutId),
      deposits: {
        list: async (query) => {
          wire.depositListQueries.push(query);
          return wire.deposits;
        },
      },
      ledger: {
        balances: async (_merchantId, currency) => {
          await options.beforeBalance?.();
          return currency === 'USD' ? USD_BALANCES : {};
        },
      },
      clock: options.holdDelays ? clock : { ...clock, sleep: async () => {} },
      random: createSeededRandom('payout wire'),
      defaultRates: options.defaultRates ?? DEFAULT_RATES.development,
      onRejected: (_merchantId, { kind }) => wire.refused.push(kind),
    }),
  );
  wire.url = await app.listen({ host: '127.0.0.1', port: 0 });
  return wire;
}

const USD_BALANCES: Balances = { available: 123_456n, reserved: 5n, fees: 99n };

/** Every method has a rail, except methods that a test disables. */
const chooseRail: AcceptPayoutParts['chooseRail'] = async (merchant, { method }) =>
  merchant.settings.disabled_methods.includes(String(method))
    ? fail({ kind: 'method_unavailable' })
    : ok({ rail: 'in_memory', why: [['only_rail', 'in_memory']] });

/** The only vault functions that the accepting command uses. */
const vault: AcceptPayoutParts['vault'] = {
  sealFields: (merchantId) => {
    const sealed = { masterKeyId: 'none', wrappedKey: Buffer.alloc(0), ciphertext: Buffer.alloc(0) };
    return { merchantId, token: 'token', sealed };
  },
  fingerprint: (secret) => createHmac('sha256', 'fingerprint').update(secret.reveal()).digest(),
  openFields: unused,
  seal: unused,
  open: unused,
  rewrap: unused,
};

function unused(): never {
  throw new Error('the wire has no use for this');
}

function inMemoryPayouts(wire: Pick<PayoutWire, 'payouts' | 'listQueries' | 'funds'>): PayoutStore {
  const keyOf = ({ merchantId, payoutId }: { merchantId: string; payoutId: string }) => `${merchantId} ${payoutId}`;
  return {
    accept: async ({ payout }: NewPayout) => {
      const existing = wire.payouts.get(keyOf(payout));
      if (existing) return { kind: 'exists', payout: existing };
      if (!wire.funds) return { kind: 'insufficient_funds' };
      wire.payouts.set(keyOf(payout), payout);
      return { kind: 'created' };
    },
    find: async (key) => wire.payouts.get(keyOf(key)),
    waitUntilFinal: async (key) => wire.payouts.get(keyOf(key)) ?? unused(),
    list: async (query) => {
      wire.listQueries.push(query);
      return [...wire.payouts.values()].slice(0, query.limit);
    },
    nextTransactionId: async () => 1_001 + wire.payouts.size,
    settle: unused,
    findByReference: unused,
  };
}
