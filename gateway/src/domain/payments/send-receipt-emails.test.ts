import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ACT, type CardPayments, openCardPayments, PAID, REFUSED } from '../../../test/support/form/card-payments.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import { writeReceiptEmail } from '../../protocol/form/receipt-email.ts';
import { createReceiptEmailStore } from '../../storage/payments/receipt-email-store.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { SubmittedPayment } from './attempts/payment-parts.ts';
import { settleAndRead } from './attempts/settle-attempt.ts';
import type { ReceiptEmailStore } from './receipt-email-store.ts';
import { type ReceiptMessage, type SendOutcome, sendReceiptEmails } from './send-receipt-emails.ts';

describe('receipts by email', () => {
  let cards: CardPayments;
  let store: ReceiptEmailStore;
  let merchants = 0;
  const sent: ReceiptMessage[] = [];
  let answers: SendOutcome[] = [];

  before(async () => {
    cards = await openCardPayments();
    store = createReceiptEmailStore(cards.bench.database);
  });
  beforeEach(() => {
    sent.length = 0;
    answers = [];
  });
  after(() => cards.bench.close());

  const merchant = (settings = { receipt_email: 'on' } as Readonly<Record<string, string>>): Merchant =>
    cards.bench.merchant(`Shop${++merchants}`, settings);

  /** Lets the worker look at every payment once, a day later. */
  async function look(over: ReceiptEmailStore = store): Promise<void> {
    await cards.bench.clock.advance(DAY_MS);
    const parts = {
      store: over,
      merchants: cards.bench.parts.merchants,
      write: (...given: Parameters<Parameters<typeof sendReceiptEmails>[0]['write']>) =>
        writeReceiptEmail(...given, new Set<string>()),
      send: async (message: ReceiptMessage) => {
        sent.push(message);
        return answers.shift() ?? 'sent';
      },
      clock: cards.bench.clock,
    };
    await sendReceiptEmails(parts, new AbortController().signal);
  }

  async function attempt(of: Merchant, session: Partial<SubmittedPayment['session']> = {}) {
    const begun = await cards.attemptOnce(of, { session: await cards.openedForm(of, session) });
    assert.ok(begun.ok);
    return begun.value;
  }

  it('the gateway sends one receipt after a success', async () => {
    cards.provider.says = PAID;
    const { transactionId } = await attempt(merchant({ receipt_email: 'on', support_contact: 'help@shop.example' }), {
      orderId: 'N17',
    });
    await look();
    await look();
    assert.equal(sent.length, 1);
    const { to, text, replyTo } = sent[0] as ReceiptMessage;
    assert.deepEqual([to, replyTo], ['j@example.com', 'help@shop.example']);
    for (const part of ['€100.00', 'Visa, ending in 5709', `${transactionId}`, 'N17'])
      assert.ok(text.includes(part), part);
    assert.ok(!/492942|Planted|PLANTED/.test(text), text);
  });

  it('the gateway does not store an email address for a merchant whose settings send no receipts', async () => {
    cards.provider.says = PAID;
    await attempt(merchant({}));
    assert.deepEqual(await store.due(Date.UTC(2100, 0, 1), 10), []);
  });

  it('the email receipt does not show an order of an unsigned form, because any visitor can choose it', async () => {
    cards.provider.says = PAID;
    await attempt(merchant(), { orderId: 'call-this-number', isSigned: false });
    await look();
    assert.equal(sent.length, 1);
    assert.ok(!sent[0]?.text.includes('call-this-number'));
  });

  it('the email receipt is sent after a late success, not while the payer acts', async () => {
    cards.provider.says = ACT;
    const acting = await attempt(merchant());
    await look();
    assert.equal(sent.length, 0);
    await settleAndRead(cards.partsOver(), cards.rail, acting, PAID);
    await look();
    assert.equal(sent.length, 1);
  });

  it('the gateway does not send a receipt after a failed payment and deletes the email address', async () => {
    cards.provider.says = REFUSED;
    const { merchantId, transactionId } = await attempt(merchant({ receipt_email: 'on', form_attempts: '1' }));
    await cards.bench.owner.query(
      "update deposits set state = 'fail', fail_reason = 'declined', finished_at = created_at where merchant_id = $1 and transaction_id = $2",
      [merchantId, transactionId],
    );
    await look();
    assert.equal(sent.length, 0);
    assert.deepEqual(await store.due(Date.UTC(2100, 0, 1), 10), []);
  });

  it('the email receipt is sent again a limited number of times after the mail server did not accept it', async () => {
    cards.provider.says = PAID;
    await attempt(merchant());
    answers = Array(20).fill('not_sent');
    for (let looks = 0; looks < 10; looks++) await look();
    assert.equal(sent.length, 6);
  });

  for (const outcome of ['refused', 'unknown'] as const)
    it(`the email receipt never repeats a message whose outcome is ${outcome}`, async () => {
      cards.provider.says = PAID;
      await attempt(merchant());
      answers = [outcome];
      await look();
      await look();
      assert.equal(sent.length, 1);
    });

  it('the gateway sends one receipt when two processes see the same payment', async () => {
    cards.provider.says = PAID;
    await attempt(merchant());
    await cards.bench.clock.advance(HOUR_MS);
    const found = await store.due(cards.bench.clock.now(), 10);
    const late: ReceiptEmailStore = { ...store, due: async () => found };
    await Promise.all([look(late), look(late)]);
    assert.equal(sent.length, 1);
  });
});
