/**
 * Drives payment attempts with arbitrary provider responses, including missing ones, at any time, with any payer actions,
 * sequentially or concurrently. After its deadline, each attempt must be final, with one callback for its deposit, or be on
 * the operator's list. The gateway must never credit money without a report from the provider.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { isInFlight } from '../../src/domain/payments/attempts/payment-attempt.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import { drawnAdyen } from '../../src/rails/adyen/drawn-responses-under-test.ts';
import { drawnPix } from '../../src/rails/pix/drawn-responses-under-test.ts';
import { drawnTokenIo } from '../../src/rails/token-io/drawn-responses-under-test.ts';
import { drawnTrustly } from '../../src/rails/trustly/drawn-responses-under-test.ts';
import { drawnVoPay } from '../../src/rails/vopay/drawn-responses-under-test.ts';
import { type Act, NEWS, type Outcome, openDrawnPayments } from '../support/form/drawn-payments.ts';
import { type DrawnProvider, type DrawnReply, FLAWS } from '../support/form/drawn-provider.ts';

const RUNS = process.env['TEST_FULL'] ? 250 : 10;

const folder = mkdtempSync(join(tmpdir(), 'gateway-every-attempt-'));
const payments = await openDrawnPayments();
after(async () => {
  rmSync(folder, { recursive: true });
  await payments.verifyAndClose();
});

const STATUSES = [
  200, 201, 202, 204, 302, 400, 401, 403, 404, 405, 408, 409, 410, 422, 425, 429, 500, 502, 503,
] as const;
const BODIES = ['', '<html>', '{}', '[]', 'null', '{"status', '{"errorCode":"101"}', '{"error":{}}'] as const;

const replyOf = ({ words }: DrawnProvider): fc.Arbitrary<DrawnReply> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom({ kind: 'no_answer' } as const, { kind: 'not_connected' } as const) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('raw' as const),
        status: fc.constantFrom(...STATUSES),
        body: fc.constantFrom(...BODIES),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('word' as const),
        word: fc.constantFrom(...words),
        flaw: fc.oneof(fc.constant('nothing' as const), fc.constantFrom(...FLAWS)),
      }),
    },
  );

const TIMES = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, DAY_MS, 10 * DAY_MS] as const;
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(...TIMES) }),
  fc.record({ kind: fc.constantFrom('work' as const, 'try' as const, 'give_up' as const) }),
  fc.record({ kind: fc.constant('return' as const), which: fc.nat(9) }),
  fc.record({ kind: fc.constant('news' as const), news: fc.constantFrom(...NEWS) }),
);

const together: fc.Arbitrary<Act> = fc.record({
  kind: fc.constant('together' as const),
  acts: fc.array(act, { minLength: 2, maxLength: 4 }),
});

function assertEnded({ deposit, attempts, overdue, results, proofs }: Outcome): void {
  assert.ok(deposit && attempts.length > 0);
  const open = attempts.filter(isInFlight);
  assert.deepEqual(
    overdue.map(({ attempt, reference, state }) => [attempt, reference, state]),
    open.map(({ attempt, reference, state }) => [attempt, reference, state]),
    'an open attempt is on the operator’s list, and no other attempt is',
  );
  const isFinal = deposit.state === 'success' || deposit.state === 'fail';
  if (open.length === 0) assert.ok(isFinal, `the deposit is ${deposit.state} though no attempt is open`);
  assert.equal(results, isFinal ? 1 : 0, 'one callback for a final deposit, and none before');
  if (deposit.state === 'success') assert.ok(proofs > 0, 'credited without a report of the provider');
}

const PROVIDERS: Readonly<Record<string, DrawnProvider>> = {
  Adyen: drawnAdyen,
  'Token.io': drawnTokenIo(folder),
  VoPay: drawnVoPay,
  Pix: drawnPix,
  Trustly: drawnTrustly(folder),
};

describe('payment attempts after their deadline', () => {
  for (const [name, provider] of Object.entries(PROVIDERS)) {
    it(`an attempt is final or on the operator’s list after its deadline, whatever ${name} returns and whenever`, async () => {
      const replies = fc.array(replyOf(provider), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(replies, fc.array(fc.oneof(act, together), { maxLength: 6 }), async (drawnReplies, acts) => {
          assertEnded(await payments.run(provider, drawnReplies, acts));
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('an attempt goes to the operator’s list when its provider is silent after the step', async () => {
    const steps = { 'Token.io': 'INITIATION_PENDING_REDIRECT_AUTH', VoPay: 'requested', Pix: 'ATIVA', Trustly: 'DONE' };
    for (const [name, word] of Object.entries(steps)) {
      const provider = PROVIDERS[name] ?? drawnPix;
      const replies: DrawnReply[] = [{ kind: 'word', word, flaw: 'nothing' }, { kind: 'no_answer' }];
      const outcome = await payments.run(provider, replies, []);
      assertEnded(outcome);
      assert.deepEqual([outcome.deposit?.state, outcome.overdue.length], ['pending', 1], name);
    }
  });

  it('an attempt ends by its deadline when a redirect returns invalid parameters and Adyen rejects them', async () => {
    const replies: DrawnReply[] = [
      { kind: 'word', word: 'RedirectShopper', flaw: 'nothing' },
      { kind: 'raw', status: 422, body: '{"errorCode":"14_0411"}' },
    ];
    const outcome = await payments.run(drawnAdyen, replies, [{ kind: 'return', which: 1 }]);
    assertEnded(outcome);
    assert.deepEqual([outcome.deposit?.state, outcome.attempts.at(-1)?.state], ['fail', 'abandoned']);
  });
});
