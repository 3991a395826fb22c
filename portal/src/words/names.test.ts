import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAct } from '../../../gateway/contract/endpoint.ts';
import { ENDPOINTS } from '../../../gateway/contract/endpoints.ts';
import { PAYMENT_TYPES } from '../../../gateway/src/domain/methods/payment-type.ts';
import { APPROVAL_REASONS } from '../../../gateway/src/domain/payouts/accept-payout.ts';
import { reroutedDetail } from '../../../gateway/src/domain/payouts/payout-job-store.ts';
import { type RankingParts, type RoutableRail, rankRails } from '../../../gateway/src/domain/payouts/rail-choice.ts';
import type { Route } from '../../../gateway/src/domain/routing/route-store.ts';
import { PROBLEMS } from '../../../gateway/src/protocol/manage/problems.ts';
import { PAYOUT_METHODS } from '../../../gateway/src/protocol/payout/method-table.ts';
import { en } from './en/en.ts';
import { HISTORY_TEXTS, translateHistory } from './gateway-texts.ts';
import { loadWords } from './translation.ts';

const LANGUAGES = ['uk', 'kk'] as const;

function route(rail: string, change: Partial<Route> = {}): Route {
  const open = { minAmount: null, maxAmount: null, costFixed: 0n, costPercent: 0n };
  return { method: 9, merchantId: null, rail, rank: 1, weight: null, ...open, ...change };
}

const rail = (name: string, change: Partial<RoutableRail> = {}): RoutableRail => ({
  name,
  methods: new Set([9]),
  simulated: false,
  ...change,
});

function reason(parts: Partial<RankingParts>, state: 'active' | 'test' = 'active'): string {
  const all = { rails: [rail('a'), rail('b'), rail('c')], routes: [], heldBack: () => undefined, ...parts };
  const money = { currency: 'EUR', minor: 10_000n } as const;
  const subject = { method: 9, money, fields: new Set<string>(), accountShown: '510000******0003', draw: 0 };
  return rankRails(all, { merchantId: 'm', state }, subject).why;
}

const paidByVisa = { what: 'Visa cards', include: () => false };
/** A text for each reason of a route, and for each reason of an approval. */
const DETAILS = [
  reason({}),
  reason({ rails: [rail('a')] }),
  reason({ routes: [route('a')] }),
  reason({ routes: [route('a'), route('b', { costFixed: 1n })] }),
  reason({ routes: [route('a'), route('b', { rank: 2 })] }),
  reason({ routes: [route('a', { weight: 80 }), route('b', { weight: 20 })] }),
  reason({ heldBack: (name) => ({ a: 'paused', b: 'closed' })[name] }),
  reason({ routes: [route('a'), route('d')] }),
  reason({ rails: [rail('a', { simulated: true }), rail('b')] }, 'test'),
  reason({ routes: [route('a'), route('b', { minAmount: 20_000n }), route('c', { maxAmount: 1n })] }),
  reason({ rails: [rail('a'), rail('b', { needs: ['customs_city'] }), rail('c', { accounts: paidByVisa })] }),
  reroutedDetail('a', { rail: 'b', note: '51' }),
  APPROVAL_REASONS.above({ currency: 'UAH', minor: 500_000n }),
  APPROVAL_REASONS.policy,
];

/** The pages never send such a request. */
const FAULTS_OF_CLIENTS = new Set([
  ...['idempotency-key-missing', 'idempotency-key-reused', 'if-match-missing', 'cross-site'],
  ...['method-not-allowed', 'unreadable', 'unsupported-type'],
]);

describe('the names of codes', () => {
  it('each payout method, payment type and action of a merchant has a name', () => {
    assert.deepEqual(en.payoutMethods, Object.fromEntries(PAYOUT_METHODS.map(({ number, name }) => [number, name])));
    assert.deepEqual(Object.keys(en.paymentTypes), Object.keys(PAYMENT_TYPES));
    const acts = Object.entries(ENDPOINTS).filter(
      ([, endpoint]) =>
        (isAct(endpoint) || 'showsPersonal' in endpoint) &&
        (endpoint.audience !== 'operator' || endpoint.path.includes('{merchantId}')),
    );
    assert.deepEqual(
      acts.map(([act]) => act).filter((act) => !(act in en.acts)),
      [],
    );
  });

  for (const language of LANGUAGES) {
    it(`each name of a code is translated to ${language}`, async () => {
      const words = await loadWords(language);
      const titled = Object.keys(PROBLEMS).filter((code) => !FAULTS_OF_CLIENTS.has(code));
      assert.deepEqual(Object.keys(words.problems).sort(), titled.sort());
      for (const names of ['payoutMethods', 'paymentTypes', 'transferKinds', 'acts', 'roleNames'] as const) {
        assert.deepEqual(Object.keys(words[names]), Object.keys(en[names]));
        for (const [code, name] of Object.entries(words[names]))
          assert.match(name, /[а-яіқө]|^Pix$|^E-transfer$/i, code);
      }
    });

    it(`each reason of a route and of an approval is translated to ${language}`, async () => {
      const words = await loadWords(language);
      assert.deepEqual(Object.keys(words.gatewayTexts), Object.keys(HISTORY_TEXTS));
      for (const detail of DETAILS)
        for (const clause of translateHistory(detail, words).split('; '))
          assert.match(clause, /^(?!.*[a-z]{2,} [a-z]{2}).*[а-яіқө]/i, detail);
    });
  }

  it('a bank’s own text stays untranslated', async () => {
    assert.equal(translateHistory('refused by the issuer', await loadWords('uk')), 'refused by the issuer');
    assert.equal(translateHistory('a: the only route', en), 'a: the only route');
  });
});
