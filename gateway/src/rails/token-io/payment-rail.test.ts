/**
 * Runs payments against Token.io's simulator over HTTP. Both use one clock that the test moves. Token.io's book proves
 * who was charged.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { NoEffect, PaymentAnswer, PaymentOrder, PaymentStatus } from '../../domain/payments/payment-rail.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { openTokenIoUnderTest, type TokenIoUnderTest } from './rail-under-test.ts';

describe('payments over Token.io', () => {
  let bench: TokenIoUnderTest;

  before(async () => {
    bench = await openTokenIoUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const start = (order: PaymentOrder) => bench.rail.start(order, null, noDeadline());
  const ask = (order: PaymentOrder) => bench.rail.ask(order, noDeadline());
  const handleReturn = (order: PaymentOrder, fields: Record<string, string>) =>
    bench.rail.handleReturn(order, { fields }, noDeadline());
  const summary = () => bench.control('summary');
  const faults = (which: object) => bench.control('faults', which);

  function redirectOf(answer: PaymentAnswer | PaymentStatus | NoEffect) {
    assert.ok(answer.kind === 'step' && answer.step.kind === 'redirect', JSON.stringify(answer));
    return { url: answer.step.url, kept: answer.keep, providerReference: answer.providerReference };
  }

  /** An order whose payer is at the bank. */
  async function started(change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
    const order = bench.order(change);
    const { kept, providerReference } = redirectOf(await start(order));
    return { ...order, kept, providerReference };
  }

  /** The fields of the payer's return after they acted by `behaviour` at the bank. */
  async function acted(order: PaymentOrder, behaviour: string): Promise<Record<string, string>> {
    const { callback } = await bench.control('act', { id: order.providerReference, behaviour });
    return Object.fromEntries(new URL(String(callback)).searchParams);
  }

  const pending = (order: PaymentOrder, isAuthorised: boolean) => {
    return { kind: 'pending', isAuthorised, keep: 'returned', providerReference: order.providerReference };
  };
  const paid = (order: PaymentOrder) => {
    const { money, providerReference } = order;
    return { kind: 'paid', money, payerAccount: 'DE89370400440532013000', providerReference };
  };

  it('a Token.io payment redirects its payer to the bank and contains the documented fields', async () => {
    const order = await started({ merchantName: 'Café “Ünïque” & Co.' });
    assert.match(order.providerReference, /^pm2:[0-9a-f]+:2gFUX1NDgoi$/);
    const [entry] = (await bench.control('book'))['entries'] as { sent: Record<string, unknown> }[];
    const { callbackState, ...sent } = entry?.sent ?? {};
    assert.match(String(callbackState), /^[A-Za-z0-9_-]{24}$/);
    assert.deepEqual(sent, {
      bankId: 'nordlys',
      refId: order.reference,
      remittanceInformationPrimary: order.reference,
      remittanceInformationSecondary: 'Cafe Unique Co',
      amount: { value: '100.50', currency: 'EUR' },
      localInstrument: 'SEPA_INSTANT',
      creditor: { virtualAccountId: 'pa:gateway:2gFUX1NEGTG', name: 'Payment Gateway' },
      returnRefundAccount: true,
      callbackUrl: order.returnUrl,
      flowType: 'EMBEDDED_HOSTED_PAGES',
    });
  });

  it('a long Token.io reference is complete on the payer’s statement and hashed in the refId', async () => {
    const order = await started({ reference: '1234567890123456-AbCd1234' });
    const [entry] = (await bench.control('book'))['entries'] as Record<string, string>[];
    assert.match(entry?.['refId'] ?? '', /^[0-9a-f]{18}$/);
    assert.equal(entry?.['reference'], order.reference);
    assert.equal(redirectOf(await ask({ ...order, providerReference: '' })).providerReference, order.providerReference);
  });

  it('a Token.io payment is paid only when its money is settled', async () => {
    const order = await started();
    const back = await acted(order, 'agree');
    assert.deepEqual(await handleReturn(order, back), pending(order, false));
    const seen: unknown[] = [];
    for (let half = 0; half < 10; half++) {
      await bench.pass(500);
      const { kind, ...rest } = await ask(order);
      seen.push('isAuthorised' in rest ? `${kind} ${rest.isAuthorised}` : kind);
    }
    const first = (what: string) => seen.indexOf(what);
    assert.ok(first('pending false') >= 0 && first('pending false') < first('pending true'), String(seen));
    assert.ok(first('pending true') < first('paid') && seen.at(-1) === 'paid', String(seen));
    assert.deepEqual(await ask(order), paid(order));
    assert.deepEqual(await ask({ ...order, providerReference: '' }), paid(order));
    const { credits, charged_over_once } = await summary();
    assert.deepEqual([credits, charged_over_once], [1, []]);
  });

  const refusals: readonly (readonly [behaviour: string, refusal: string, detail: string])[] = [
    ['reject', 'cancelled_by_payer', 'INITIATION_DECLINED Declined by the user'],
    ['insufficient_funds', 'insufficient_funds', 'INITIATION_REJECTED_INSUFFICIENT_FUNDS Insufficient funds'],
    ['bank_rejects', 'declined', 'INITIATION_REJECTED Rejected by the bank'],
    ['locked_out', 'declined', 'INITIATION_FAILED The user could not be authenticated'],
  ];
  for (const [behaviour, refusal, detail] of refusals) {
    it(`a Token.io payment whose payer acts as “${behaviour}” is declined as ${refusal}`, async () => {
      const order = await started();
      const back = await acted(order, behaviour);
      await bench.pass(3_000);
      const { providerReference } = order;
      const refused = { kind: 'refused', refusal, canRetry: true, detail, providerReference };
      assert.deepEqual(await handleReturn(order, back), refused);
      assert.deepEqual(await ask(order), refused);
      assert.equal((await summary())['credits'], 0);
    });
  }

  describe('undecided ends of a Token.io payment', () => {
    const ends: readonly (readonly [behaviour: string, status: string, isPaid: boolean])[] = [
      ['no_final_status', 'INITIATION_NO_FINAL_STATUS_AVAILABLE', false],
      ['no_final_status_paid', 'INITIATION_NO_FINAL_STATUS_AVAILABLE', true],
      ['never_settles', 'SETTLEMENT_INCOMPLETE', false],
      ['silent_bank', 'INITIATION_EXPIRED', false],
    ];
    for (const [behaviour, status, isPaid] of ends) {
      it(`a Token.io payment with the inconclusive outcome ${behaviour} is ${isPaid ? 'paid if the account shows the money' : 'unknown and never refused'}`, async () => {
        const order = await started();
        await acted(order, behaviour);
        await bench.pass(8_000);
        const reason = `Token.io reports its final status ${status}; only the account shows the outcome`;
        assert.deepEqual(await ask(order), isPaid ? paid(order) : { kind: 'unknown', reason });
        assert.equal((await summary())['credits'], isPaid ? 1 : 0);
      });
    }

    it('a Token.io payment with an unknown outcome is not marked paid by another payer’s money', async () => {
      const [order, other] = [await started(), await started()];
      await acted(order, 'no_final_status');
      await acted(other, 'agree');
      await bench.pass(8_000);
      assert.equal((await ask(order)).kind, 'unknown');
    });
  });

  describe('returns of Token.io’s payers', () => {
    it('a payer’s return with Token.io’s id and state is accepted, and no query redirects the payer again', async () => {
      const order = await started();
      const [entry] = (await bench.control('book'))['entries'] as Record<string, string>[];
      const back = { 'payment-id': order.providerReference, state: entry?.['callbackState'] ?? '' };
      assert.deepEqual(await handleReturn(order, back), pending(order, false));
      assert.deepEqual(await ask({ ...order, kept: 'returned' }), pending(order, false));
    });

    it('a payer’s return without Token.io’s state leaves the payer at their step', async () => {
      const order = await started();
      const { providerReference } = order;
      const invented = [
        {},
        { 'payment-id': providerReference },
        { 'payment-id': providerReference, state: 'guessed' },
        { 'payment-id': providerReference, state: '' },
        { 'payment-id': 'pm2:other:1', state: 'guessed' },
        { 'payment-id': providerReference, state: 'guessed', status: 'SETTLEMENT_COMPLETED' },
      ];
      for (const fields of invented) assert.equal(redirectOf(await handleReturn(order, fields)).kept, '');
      assert.equal((await summary())['credits'], 0);
    });
  });

  it('a status query finds a Token.io payment whose payer agreed and never returned', async () => {
    const order = await started();
    await acted(order, 'agree');
    await bench.pass(6_000);
    assert.deepEqual(await ask(order), paid(order));
  });

  it('a Token.io payment waits while the bank asks its payer in the bank’s app', async () => {
    const order = await started();
    await acted(order, 'in_app');
    const step = { kind: 'elsewhere', at: 'bank_message' };
    assert.deepEqual(await ask(order), { kind: 'step', step, keep: '', providerReference: order.providerReference });
    await bench.pass(6_000);
    assert.deepEqual(await ask(order), paid(order));
  });

  it('a Token.io payment whose payer never logged in is declined after the bank’s page expired, unless they returned', async () => {
    const order = await started();
    bench.clock.advance(40 * MINUTE_MS);
    await bench.pass(500);
    const detail = 'INITIATION_EXPIRED The payment was not authorized in time';
    const { providerReference } = order;
    const refused = { kind: 'refused', refusal: 'expired', canRetry: true, detail, providerReference };
    assert.deepEqual(await ask(order), refused);
    assert.equal((await ask({ ...order, kept: 'returned' })).kind, 'unknown', 'who came back may have agreed');
  });

  for (const payments of ['accept_unanswered', 'accept_500']) {
    it(`a status query finds an order whose response was lost, and Token.io creates one payment (${payments})`, async () => {
      await faults({ payments });
      const order = bench.order();
      assert.equal((await bench.rail.start(order, null, deadlineAfter(150))).kind, 'unknown');
      await faults({ payments: 'accept' });
      const first = redirectOf(await ask(order));
      assert.deepEqual(redirectOf(await ask(order)), first);
      await bench.control('act', { id: first.providerReference, behaviour: 'agree' });
      await bench.pass(6_000);
      assert.equal((await ask(order)).kind, 'paid');
      const { payments: made, credits, charged_over_once } = await summary();
      assert.deepEqual([made, credits, charged_over_once], [1, 1, []]);
    });
  }

  for (const payments of ['lose', 'refuse_503', 'error_200']) {
    it(`an unanswered or failed Token.io order has an unknown outcome and is not sent again (${payments})`, async () => {
      await faults({ payments });
      const order = bench.order();
      assert.equal((await bench.rail.start(order, null, deadlineAfter(150))).kind, 'unknown');
      await faults({ payments: 'accept' });
      assert.deepEqual(await ask(order), { kind: 'not_found' });
      assert.equal((await summary())['payments'], 0);
    });
  }

  it('a second order with the same reference has an unknown outcome, and Token.io creates one payment', async () => {
    const order = bench.order();
    await start(order);
    const again = await start(order);
    assert.ok(again.kind === 'unknown' && again.reason.startsWith('HTTP 400 Field.NotUnique'), JSON.stringify(again));
    assert.equal((await summary())['payments'], 1);
  });

  it('a status query finds a Token.io payment paid if its webhooks arrived before the response', async () => {
    await faults({ payments: 'notified_before_reply' });
    const order = bench.order();
    assert.equal((await start(order)).kind, 'step', 'as it was when it was ordered');
    assert.equal((await ask(order)).kind, 'paid');
  });

  it('the rail queries a Token.io payment again until the bank provides its page URL', async () => {
    await faults({ payments: 'slow_bank' });
    const order = bench.order();
    const reason = 'the payer’s bank has not responded to Token.io yet';
    assert.deepEqual(await start(order), { kind: 'unknown', reason });
    await bench.pass(2_000);
    redirectOf(await ask(order));
  });

  it('a Token.io payment is declined if the bank cannot execute it, and the payer may choose another bank', async () => {
    for (const bankId of ['nobody', 'data-only', 'slow-sepa']) {
      const answer = await start(bench.order({}, { bankId }));
      assert.ok(answer.kind === 'refused' && answer.refusal === 'payer_details' && answer.canRetry, bankId);
    }
    assert.equal((await summary())['payments'], 0);
  });

  it('an order that Token.io rejects is not accepted', async () => {
    await faults({ payments: 'refuse' });
    const reason = 'HTTP 400 Field.Invalid `initiation.amount.value` is invalid';
    assert.deepEqual(await start(bench.order()), { kind: 'not_accepted', reason });
  });

  it('a Token.io order whose credentials Token.io refuses is not accepted, and the rail reports them', async () => {
    const privateKeyFile = `${bench.folder}/another-private-key.pem`;
    const strangers = [{ keyId: 'another' }, { memberId: 'm:another:1' }, { privateKeyFile }];
    for (const change of strangers) {
      const stranger = bench.connect(change);
      const reason = 'HTTP 401 Unauthenticated The request does not have valid authentication credentials';
      assert.deepEqual(await stranger.rail.start(bench.order(), null, noDeadline()), { kind: 'not_accepted', reason });
      assert.deepEqual(await stranger.rail.ask(bench.order(), noDeadline()), { kind: 'unknown', reason });
      assert.deepEqual(stranger.refusedCredentials, ['token-io', 'token-io']);
      await stranger.close();
    }
    assert.equal((await summary())['payments'], 0);
  });

  it('a Token.io order without a readable key is not sent and not accepted', async () => {
    const keyless = bench.connect({ privateKeyFile: `${bench.folder}/nowhere.pem`, simulated: false });
    const reason = 'our private key cannot be read: check TOKEN_IO_PRIVATE_KEY_FILE';
    assert.deepEqual(await keyless.rail.start(bench.order(), null, noDeadline()), { kind: 'not_accepted', reason });
    assert.deepEqual(await keyless.rail.ask(bench.order(), noDeadline()), { kind: 'unknown', reason });
    await keyless.close();
  });

  it('a dropped connection leaves the outcome of a Token.io payment unknown; a refused connection means that Token.io did not accept it', async () => {
    await faults({ down: true });
    assert.equal((await start(bench.order())).kind, 'unknown');
    assert.equal((await ask(bench.order())).kind, 'unknown');
    const nobody = bench.connect({ url: 'http://127.0.0.1:1' });
    const answer = await nobody.rail.start(bench.order(), null, noDeadline());
    assert.deepEqual(answer, { kind: 'not_accepted', reason: 'no connection: ECONNREFUSED' });
    assert.equal((await nobody.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    await nobody.close();
  });

  describe('cancelled payments at Token.io', () => {
    const cancel = (order: PaymentOrder) => bench.rail.cancel?.(order, noDeadline());

    it('cancelling ends a payment at Token.io whose payer has not acted', async () => {
      const order = bench.order();
      const { url } = redirectOf(await start(order));
      const answer = await cancel(order);
      assert.ok(answer?.kind === 'refused' && answer.refusal === 'cancelled_by_payer', JSON.stringify(answer));
      assert.match(await (await fetch(url)).text(), /This payment is over/);
    });

    it('cancelling a Token.io payment whose payer agreed returns its real outcome', async () => {
      const order = await started();
      await acted(order, 'agree');
      assert.deepEqual(await cancel(order), pending(order, false));
      await bench.pass(6_000);
      assert.deepEqual(await cancel(order), paid(order));
      assert.equal((await summary())['credits'], 1);
    });

    it('cancelling a payment that Token.io never received returns not_found', async () => {
      assert.deepEqual(await cancel(bench.order()), { kind: 'not_found' });
    });
  });
});
