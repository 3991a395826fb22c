/** Simulates lost requests and lost responses. The book of Adyen's simulator proves what was charged, and how often. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { madeUpCard } from '../../../../rail-simulators/src/adyen/cards.ts';
import { assertPaid, assertRefused, kept, openAdyenScene, stepOf } from '../../../test/support/rails/adyen-scene.ts';
import { answerBank } from '../../../test/support/rails/adyen-under-control.ts';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until, within } from '../../../test/support/tools/until.ts';
import { Secret } from '../../foundation/secret.ts';
import { adyenOrder, connectToAdyen, paymentCard } from './rail-under-test.ts';

const PLAIN = '4111111111111111';
const FRICTIONLESS = '5201281505129736';
const RIGHT_CODE = '123456';
const madeUp = (digits: string) => madeUpCard('1', digits);
const SILENT_PAID = madeUp('01');
const SILENT_REFUSED = madeUp('02');

const scene = await openAdyenScene();
const { adyen, connection, rail, start, handleReturn, challenged, assertChargedOnce, assertNothingCharged } = scene;
beforeEach(() => adyen.reset());
after(() => scene.close());

describe('timeouts of Adyen', () => {
  it('a payment request that times out after Adyen received it is resolved by the same request under the same key', async () => {
    for (const faults of [{ unanswered: 1 }, { answer_500_after: 1 }, { answer_500_after: 2 }]) {
      await adyen.reset();
      await adyen.faults(faults);
      const order = adyenOrder();
      assertPaid(await start(order, PLAIN));
      await assertChargedOnce(order.reference);
      assert.equal((await adyen.summary())['payments'], 1);
    }
  });

  it('a payment request that times out before Adyen received it is resolved by the same request under the same key', async () => {
    for (const faults of [{ lost: 1 }, { answer_500: 1 }]) {
      await adyen.reset();
      await adyen.faults(faults);
      const order = adyenOrder();
      assertPaid(await start(order, PLAIN));
      await assertChargedOnce(order.reference);
    }
  });

  it('a payment without any response from Adyen has an unknown outcome until the webhook reports it as paid', async () => {
    const order = adyenOrder();
    const answer = await start(order, SILENT_PAID, deadlineAfter(300));
    assert.deepEqual(answer, { kind: 'unknown', reason: 'no response in time' });
    assert.equal((await rail.ask(order, noDeadline())).kind, 'unknown');
    assert.deepEqual((await adyen.untilNotifiedOf(order.reference, 'paid')).money, order.money);
    await assertChargedOnce(order.reference);
  });

  it('a payment without any response from Adyen has an unknown outcome until the webhook reports it as declined', async () => {
    const order = adyenOrder();
    assert.equal((await start(order, SILENT_REFUSED)).kind, 'unknown');
    await adyen.untilNotifiedOf(order.reference, 'refused');
    await assertNothingCharged();
  });

  it('a payment that never reached Adyen stays unknown', async () => {
    await adyen.faults({ lost: 100 });
    const order = adyenOrder();
    assert.equal((await start(order, PLAIN)).kind, 'unknown');
    assert.equal((await rail.ask(order, noDeadline())).kind, 'unknown');
    assert.equal((await adyen.summary())['payments'], 0);
  });

  it('a payment request to a silent Adyen ends at its deadline', async () => {
    await adyen.faults({ lost: 1_000_000 });
    const ended = start(adyenOrder(), PLAIN, deadlineAfter(100));
    assert.equal((await within(60_000, 'the end of the call', ended)).kind, 'unknown');
  });

  it('a payer’s return that times out is resolved by the same request, whether or not Adyen received the first', async () => {
    for (const faults of [{ unanswered: 1 }, { answer_500_after: 1 }, { lost: 1 }, { answer_500: 1 }]) {
      await adyen.reset();
      const { order, step } = await challenged();
      const returned = await answerBank(step, RIGHT_CODE);
      await adyen.faults(faults);
      assertPaid(await handleReturn(order, returned));
      await assertChargedOnce(order.reference);
    }
  });

  it('a payer’s return without any response from Adyen has an unknown outcome until the webhook reports the payment', async () => {
    const { order, step } = await challenged();
    const returned = await answerBank(step, RIGHT_CODE);
    await adyen.faults({ unanswered: 100 });
    assert.equal((await handleReturn(order, returned)).kind, 'unknown');
    assert.deepEqual((await adyen.untilNotifiedOf(order.reference, 'paid')).money, order.money);
    await assertChargedOnce(order.reference);
  });

  it('an API key that Adyen refuses after a payment request without a response does not decline the payment', async () => {
    await adyen.faults({ unanswered: 1 });
    const order = adyenOrder();
    const changing = connectToAdyen(adyen.url, {
      apiKey: new ChangingSecret([connection.configuration.apiKey.reveal(), 'revoked']),
    });
    assert.deepEqual(await changing.rail.start(order, paymentCard(PLAIN), noDeadline()), {
      kind: 'unknown',
      reason: 'an earlier attempt got no response',
    });
    await assertChargedOnce(order.reference);
    await changing.close();
  });
});

describe('requests that Adyen did not take', () => {
  it('a payment without a connection to Adyen is not accepted', async () => {
    const nobody = connectToAdyen('http://127.0.0.1:1');
    const answer = await nobody.rail.start(adyenOrder(), paymentCard(PLAIN), noDeadline());
    assert.deepEqual(answer, { kind: 'not_accepted', reason: 'no connection: ECONNREFUSED' });
    await nobody.close();
  });

  it('a payment is not accepted if Adyen refuses our key or our account', async () => {
    for (const change of [{ apiKey: new Secret('wrong') }, { merchantAccount: 'AnotherECOM' }]) {
      const stranger = connectToAdyen(adyen.url, change);
      assert.equal((await stranger.rail.start(adyenOrder(), paymentCard(PLAIN), noDeadline())).kind, 'not_accepted');
      assert.deepEqual(stranger.refusedCredentials, ['adyen']);
      await stranger.close();
    }
    assert.equal((await adyen.summary())['payments'], 0);
  });
});

describe('repeated requests to Adyen', () => {
  it('an Adyen payment sent twice at the same time is charged once', async () => {
    const order = adyenOrder();
    const both = await Promise.all([start(order, PLAIN), start(order, PLAIN)]);
    for (const answer of both) assertPaid(answer);
    await assertChargedOnce(order.reference);
    assert.equal((await adyen.summary())['payments'], 1);
  });

  it('a payer’s return that is sent to Adyen twice, even at the same time, is charged once', async () => {
    const { order, step } = await challenged();
    const returned = await answerBank(step, RIGHT_CODE);
    for (const answer of await Promise.all([handleReturn(order, returned), handleReturn(order, returned)]))
      assertPaid(answer);
    assertPaid(await handleReturn(order, returned));
    await assertChargedOnce(order.reference);
  });

  it('a repeated payment request waits while Adyen processes the first', async () => {
    let release = () => {};
    adyen.hold = new Promise<void>((resolve) => (release = resolve));
    await adyen.faults({ webhooks: 'before_reply' });
    const order = adyenOrder();
    const first = start(order, PLAIN);
    await until('it is in the book', async () => ((await adyen.story(order.reference)).length > 1 ? true : undefined));
    const second = async (ms: number) => {
      const answer = await start(order, PLAIN, deadlineAfter(ms));
      return answer.kind === 'unknown' ? answer.reason : answer.kind;
    };
    // A busy machine may not even read Adyen's first response by the deadline.
    let said = 'no response in time';
    for (let ms = 150; said === 'no response in time' && ms < 60_000; ms *= 2) said = await second(ms);
    assert.equal(said, 'Adyen is still processing this request');
    release();
    assertPaid(await first);
    await assertChargedOnce(order.reference);
  });
});

describe('abandoned steps of an Adyen payment', () => {
  it('a query leaves an abandoned Adyen step unknown, and the payer may still return', async () => {
    const { order, step } = await challenged();
    assert.equal((await rail.ask(order, noDeadline())).kind, 'unknown');
    assert.ok(rail.askAfterMs[0] > rail.validityMs);
    assertPaid(await handleReturn(order, await answerBank(step, RIGHT_CODE)));
  });

  it('cancelling an abandoned challenge ends the payment, and Adyen does not charge anything', async () => {
    const { order } = await challenged();
    assertRefused(await rail.cancel?.(order, noDeadline()), 'authentication_failed');
    await assertNothingCharged();
  });

  it('cancelling an Adyen challenge that the payer passed finds the payment paid', async () => {
    const { order, step } = await challenged();
    await answerBank(step, RIGHT_CODE);
    assertPaid(await rail.cancel?.(order, noDeadline()));
    await assertChargedOnce(order.reference);
  });

  it('cancelling an Adyen challenge finds the payment paid if only the response to the return was lost', async () => {
    const { order, step } = await challenged();
    await adyen.faults({ unanswered: 3 });
    assert.equal((await handleReturn(order, await answerBank(step, RIGHT_CODE))).kind, 'unknown');
    assertPaid(await rail.cancel?.(order, noDeadline()));
    await assertChargedOnce(order.reference);
  });

  it('an Adyen payment abandoned at its fingerprint does not charge anything and may be cancelled', async () => {
    const order = adyenOrder();
    const fingerprinted = kept(order, stepOf(await start(order, FRICTIONLESS)));
    assert.equal((await rail.cancel?.(fingerprinted, noDeadline()))?.kind, 'step');
    assert.deepEqual(await adyen.story(order.reference), ['opened']);
    await assertNothingCharged();
  });
});

/** Returns its values in order and then repeats the last value. */
class ChangingSecret extends Secret {
  readonly #values: string[];

  constructor(values: readonly [string, ...string[]]) {
    super(values[0]);
    this.#values = [...values];
  }

  override reveal(): string {
    return (this.#values.length > 1 ? this.#values.shift() : this.#values[0]) ?? '';
  }
}
