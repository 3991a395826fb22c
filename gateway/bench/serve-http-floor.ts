/**
 * The HTTP floor: the gateway's own wire (same bodies, same checks, both signatures) in front of nothing. What the
 * accepting path costs above this is the vault, the domain and the database.
 */
import { createHash } from 'node:crypto';
import type { Payout } from '../src/domain/payouts/payout.ts';
import { systemClock } from '../src/foundation/clock.ts';
import { systemRandom } from '../src/foundation/ids.ts';
import { ok } from '../src/foundation/result.ts';
import { Secret } from '../src/foundation/secret.ts';
import { DEFAULT_RATES } from '../src/protocol/authentication/rate-limit.ts';
import { createHttpServer } from '../src/protocol/http/http-server.ts';
import { payoutRoutes } from '../src/protocol/payout/payout-routes.ts';
import { merchantNamed } from '../test/support/merchant-named.ts';

const keys = [
  { keyId: '1', secret: new Secret(process.env['KEY'] ?? ''), createdAt: 0, retiresAt: null, firstUsedAt: 0 },
];

const app = createHttpServer({ trustedProxies: [], onInternalError: (error) => console.error(error) });
void app.register(
  payoutRoutes({
    directory: { find: async (merchantId) => ({ merchant: merchantNamed(merchantId), keys }), keyUsed: () => {} },
    sendPayout: async ({ merchant: { merchantId }, payoutId, draft }) => {
      if (!draft.ok) return draft;
      const { method, money, amountText, accountShown, fields } = draft.value;
      const payout: Payout = {
        merchantId,
        payoutId,
        transactionId: 1,
        method,
        money,
        amountText,
        fee: 0n,
        rail: '',
        beneficiary: { accountShown, fields, vaultToken: null },
        contentHash: createHash('sha256').digest(),
        state: 'pending',
        code: '40',
        acceptedAt: systemClock.now(),
        finishedAt: null,
      };
      return ok(payout);
    },
    payouts: { find: async () => undefined, list: async () => [] },
    deposits: { list: async () => [] },
    ledger: { balances: async () => ({}) },
    clock: systemClock,
    random: systemRandom,
    defaultRates: DEFAULT_RATES.development,
    onRefused: () => {},
  }),
);
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
