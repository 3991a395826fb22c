import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDPOINTS } from '../../../gateway/contract/endpoints.ts';
import { isAct } from '../../../gateway/contract/parts/endpoint.ts';
import { PAYMENT_TYPES } from '../../../gateway/src/domain/methods/payment-type.ts';
import { PROBLEMS } from '../../../gateway/src/protocol/manage/problems.ts';
import { PAYOUT_METHODS } from '../../../gateway/src/protocol/payout/method-table.ts';
import { en } from './en/en.ts';
import { loadWords } from './translation.ts';

const LANGUAGES = ['uk', 'kk'] as const;

/** The pages never send requests with these errors. */
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
  }
});
