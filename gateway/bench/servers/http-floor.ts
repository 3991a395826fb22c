/**
 * The HTTP floor: the gateway's protocol code (the same bodies, checks and signatures) without a gateway behind it. The
 * difference between the gateway and this floor is the cost of the vault, the domain and the database. If the variable COMMITS
 * is set, each payout also waits for a shared commit, as in the gateway.
 */
import type { Deposit } from '../../src/domain/deposits/deposit.ts';
import { keysByPurpose, type MerchantWithKeys } from '../../src/domain/merchants/merchant.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { ok } from '../../src/foundation/result.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { DEFAULT_RATES } from '../../src/protocol/authentication/rate-limit.ts';
import { errorBodyFor } from '../../src/protocol/error-envelopes.ts';
import { hostToHostRoutes } from '../../src/protocol/host2host/host-to-host-routes.ts';
import { createHttpServer } from '../../src/protocol/http/http-server.ts';
import { payoutRoutes } from '../../src/protocol/payout/payout-routes.ts';
import { registerRailNotifications } from '../../src/protocol/rail-notifications/rail-notification-routes.ts';
import { createStpNotifications } from '../../src/rails/stp/notifications.ts';
import { WAYFORPAY } from '../../src/rails/wayforpay/configuration.ts';
import { createWayForPayNotifications } from '../../src/rails/wayforpay/notifications.ts';
import { testKey } from '../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../test/support/merchants/merchant-named.ts';
import { commitsOf } from '../floors/batch-commits.ts';
import { BANK_ACCOUNT } from '../stage/programs.ts';

const keys = keysByPurpose([testKey(process.env['KEY'] ?? '')]);

/** Served from a map, like the gateway's merchant directory while its cache is fresh. */
const merchants = new Map<string, Promise<MerchantWithKeys>>();

function findMerchant(merchantId: string): Promise<MerchantWithKeys> {
  const known = merchants.get(merchantId);
  if (known) return known;
  const made = Promise.resolve({ merchant: merchantNamed(merchantId), keys });
  merchants.set(merchantId, made);
  return made;
}

/** The hash is constant, because the vault computes it and is not part of the floor. */
const CONTENT_HASH = Buffer.alloc(32);

const { COMMITS } = process.env;
const commit = COMMITS === undefined ? async () => {} : commitsOf(JSON.parse(COMMITS));

const app = createHttpServer({
  errorBody: errorBodyFor,
  trustedProxies: [],
  onInternalError: (error) => console.error(error),
});
const shared = {
  directory: {
    find: findMerchant,
    keyUsed: () => {},
  },
  clock: systemClock,
  random: systemRandom,
  defaultRates: DEFAULT_RATES.development,
  onRejected: () => {},
};

void app.register(
  payoutRoutes({
    ...shared,
    acceptPayout: async ({ merchant: { merchantId }, payoutId, draft }) => {
      if (!draft.ok) return draft;
      const { method, money, amountText, accountShown, fields } = draft.value;
      const payout: Payout = {
        merchantId,
        payoutId,
        transactionId: 1,
        purpose: 'payout',
        method,
        money,
        amountText,
        fee: 0n,
        rail: '',
        beneficiary: { accountShown, fields, vaultToken: null },
        contentHash: CONTENT_HASH,
        state: 'pending',
        blockedReason: null,
        acceptedAt: systemClock.now(),
        finishedAt: null,
      };
      await commit();
      return ok(payout);
    },
    payouts: { find: async () => undefined, list: async () => [] },
    recovery: async () => undefined,
    isListed: async () => false,
    deposits: { list: async () => [] },
    ledger: { balances: async () => ({}) },
  }),
);

void app.register(
  hostToHostRoutes({
    ...shared,
    openDeposit: async ({ merchant: { merchantId }, ...asked }) => {
      const now = systemClock.now();
      const deposit: Deposit = {
        ...asked,
        merchantId,
        transactionId: 1,
        uuid: '6f0c8a51-93b7-4c1e-8d6a-2b7f0a3c9e14',
        rail: '',
        payTo: '646180499000000003',
        beneficiary: 'Payment Gateway',
        state: 'pending',
        failReason: null,
        received: 0n,
        fee: 0n,
        createdAt: now,
        expiresAt: now,
        closesAt: now,
        finishedAt: null,
        displacedBy: null,
      };
      return ok(deposit);
    },
    onProblem: (_problem, error) => console.error(error),
  }),
);

/** The payout of every WayForPay notification. It already succeeded, so the notification has no effect. */
const EXECUTED: Payout = {
  merchantId: 'bench',
  payoutId: 'P1',
  transactionId: 1,
  purpose: 'payout',
  method: 1,
  money: { currency: 'UAH', minor: 100n },
  amountText: '1.00',
  fee: 0n,
  rail: WAYFORPAY,
  beneficiary: { accountShown: '', fields: {}, vaultToken: null },
  contentHash: CONTENT_HASH,
  state: 'success',
  blockedReason: null,
  acceptedAt: 0,
  finishedAt: 0,
};

const UNCONFIRMED = async () => ({ kind: 'unconfirmed', reason: '' }) as const;

registerRailNotifications(app, {
  rails: [
    createStpNotifications(
      {
        url: '',
        ordersUrl: '',
        empresa: 'GATEWAY',
        clabePrefix: '6461804990',
        beneficiary: 'Payment Gateway',
        privateKeyFile: '',
        confirmAbove: 5_000_000n,
        allowList: ['127.0.0.1'],
        concurrency: 4,
        simulated: true,
      },
      { confirmAbono: () => UNCONFIRMED, confirmPayout: () => UNCONFIRMED },
      systemClock,
    ),
    createWayForPayNotifications(
      {
        merchantAccount: BANK_ACCOUNT.WAYFORPAY_MERCHANT_ACCOUNT,
        secretKey: new Secret(BANK_ACCOUNT.WAYFORPAY_SECRET_KEY),
      },
      systemClock,
    ),
  ],
  store: { findByReference: async () => EXECUTED },
  settle: async () => ({ kind: 'not_found' }),
  confirm: async (transfer) => ({ kind: 'confirmed', transfer }),
  processPayment: async () => ({ kind: 'known' }),
  recordForgotten: async () => false,
  processTransfer: async () => ({ kind: 'known', isSentBack: false, money: { currency: 'MXN', minor: 0n } }),
  clock: systemClock,
  differences: { report: async () => {}, dismiss: async () => {} },
  onNotification: () => {},
});

await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
