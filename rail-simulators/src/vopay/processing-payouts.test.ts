/** Payouts by e-Transfer at VoPay: requests, outcomes and the recipients' pages. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DAY_MS } from '../clock.ts';
import { eventually } from '../kernel/inbox-under-test.ts';
import { startVoPayUnderTest, type VoPayUnderTest } from './under-test.ts';

type Fields = Readonly<Record<string, string>>;

let payouts = 0;

/** Each payout has a new recipient, and cents that let the recipient decide. */
function payout(): Fields {
  payouts += 1;
  return {
    Amount: '10.55',
    RecipientName: 'Max Doe',
    EmailAddress: `recipient${payouts}@example.com`,
    Question: 'Which colour?',
    Answer: 'maple',
    Notes: `M1/A${payouts}`,
    ClientReferenceNumber: `P${payouts}-AbCd1234`,
    IdempotencyKey: `P${payouts}-AbCd1234`,
  };
}

async function accepted(vopay: VoPayUnderTest, fields: Fields = {}): Promise<number> {
  return Number((await vopay.post('interac/bulk-payout', { ...payout(), ...fields })).body['TransactionID']);
}

const statusOf = async (vopay: VoPayUnderTest, id: number) => {
  const { body } = await vopay.get('interac/bulk-payout/transaction', { TransactionID: String(id) });
  return `${body['TransactionStatus']} ${body['FailureReason']}`.trim();
};

/** Advances the clock, and waits for the resulting events. */
async function pass(vopay: VoPayUnderTest, ms: number): Promise<void> {
  vopay.clock.advance(ms);
  await vopay.summary();
}

async function started(t: TestContext): Promise<VoPayUnderTest> {
  return startVoPayUnderTest(t, { float: '1000.00' });
}

describe('a payout at VoPay', () => {
  it('a VoPay payout reduces the balance', async (t) => {
    const vopay = await started(t);
    const fields = payout();
    const { body } = await vopay.post('interac/bulk-payout', fields);
    assert.deepEqual([body['Success'], body['TransactionStatus']], [true, 'pending']);
    for (const by of [
      { TransactionID: String(body['TransactionID']) },
      { ClientReferenceNumber: fields['ClientReferenceNumber'] ?? '' },
    ]) {
      const { body: found } = await vopay.get('interac/bulk-payout/transaction', by);
      assert.deepEqual([found['Amount'], found['EmailAddress']], ['10.55', fields['EmailAddress']]);
    }
    const { body: balance } = await vopay.get('account/balance');
    assert.deepEqual([balance['AvailableFunds'], balance['Currency']], ['989.45', 'CAD']);
  });

  it('a VoPay payout is rejected with a missing or invalid field, or a short balance', async (t) => {
    const vopay = await started(t);
    const faulty: readonly (readonly [fields: Fields, code: string])[] = [
      [{ Amount: '' }, '2000'],
      [{ Question: '' }, '2000'],
      [{ Answer: '' }, '2000'],
      [{ RecipientName: '' }, '2000'],
      [{ EmailAddress: '' }, '2000'],
      [{ Answer: 'to' }, '2001'],
      [{ Answer: 'two words' }, '2001'],
      [{ Memo: 'it is maple' }, '2001'],
      [{ Question: 'x'.repeat(41) }, '2001'],
      [{ CancellationPeriod: '31' }, '2001'],
      [{ Currency: 'USD' }, '2001'],
      [{ Amount: '1000.01' }, '3001'],
    ];
    for (const [fields, code] of faulty) {
      const { body } = await vopay.post('interac/bulk-payout', { ...payout(), ...fields });
      assert.deepEqual([body['Success'], body['ErrorCode']], [false, code], JSON.stringify(fields));
    }
    await vopay.faults({ empty: true });
    assert.equal((await vopay.post('interac/bulk-payout', payout())).body['ErrorCode'], '3001');
    assert.equal((await vopay.summary())['payouts'], 0);
  });

  it('a VoPay payout repeated within three hours to one address waits for confirmation', async (t) => {
    const vopay = await started(t);
    const first = payout();
    await accepted(vopay, first);
    const again = { ...first, IdempotencyKey: 'another', ClientReferenceNumber: 'P9-AbCd1234' };
    const { body } = await vopay.post('interac/bulk-payout', again);
    assert.match(String(body['Flagged']), /duplicate/);
    await pass(vopay, 500);
    const id = Number(body['TransactionID']);
    assert.equal(await statusOf(vopay, id), 'pending');
    await vopay.post('account/transaction/confirm', { TransactionID: String(id) });
    await pass(vopay, 500);
    assert.equal(await statusOf(vopay, id), 'requested');
  });

  it('the cents of a VoPay payout decide its outcome, as in VoPay’s sandbox', async (t) => {
    const vopay = await started(t);
    const steps: readonly (readonly [amount: string, ...statuses: string[]])[] = [
      ['10.00', 'requested', 'successful', 'successful'],
      ['10.05', 'failed 7 - Not supported by the financial institution'],
      ['10.15', 'requested', 'failed 8 - No such account'],
      ['10.25', 'requested', 'successful', 'failed Returned'],
      ['10.35', 'cancelled 6 - Cancelled manually'],
      ['10.45', 'requested', 'cancelled 6 - Cancelled manually'],
      ['10.55', 'requested', 'requested', 'requested'],
      ['10.65', 'requested', 'successful', 'successful'],
    ];
    for (const [Amount, ...statuses] of steps) {
      const id = await accepted(vopay, { Amount });
      for (const status of statuses) {
        await pass(vopay, 1_000);
        assert.equal(await statusOf(vopay, id), status, Amount);
      }
    }
  });

  it('the VoPay list finds payouts by kind, with their notes and without money requests', async (t) => {
    const vopay = await started(t);
    const id = await accepted(vopay, { Notes: 'M1/A1' });
    await vopay.moneyRequest();
    const day = { StartDateTime: '2026-11-20 00:00:00', EndDateTime: '2026-11-20 23:59:59' };
    const { body } = await vopay.get('account/transactions', { ...day, TransactionType: 'Interac Bulk Payout' });
    const rows = Object.values(body['Transactions'] as Record<string, Fields>);
    assert.deepEqual(
      rows.map((row) => [row['TransactionID'], row['Notes'], row['DebitAmount']]),
      [[String(id), 'M1/A1', '10.55']],
    );
  });

  it('VoPay recalls a payout unless its recipient has already deposited it', async (t) => {
    const vopay = await started(t);
    const id = await accepted(vopay);
    await pass(vopay, 500);
    const path = 'interac/bulk-payout/transaction/request-cancellation';
    const { body } = await vopay.post(path, { TransactionID: String(id) });
    assert.equal(body['TransactionStatus'], 'cancellation requested');
    await pass(vopay, 2_000);
    assert.equal(await statusOf(vopay, id), 'cancelled 0 - Sender-initiated cancellation');
    assert.equal((await vopay.summary())['available'], '1000.00');
  });

  it('VoPay sends a payout webhook for each status change', async (t) => {
    const vopay = await started(t);
    const id = await accepted(vopay, { Amount: '10.00' });
    await pass(vopay, 500);
    await pass(vopay, 1_000);
    await eventually('two webhooks', () => vopay.inbox.received.length === 2);
    assert.deepEqual(vopay.notified(), [`requested ${id}`, `successful ${id}`]);
    assert.equal(vopay.inbox.received[0]?.body['TransactionType'], 'Interac Bulk Payout');
  });

  it('a fault deposits a VoPay payout before VoPay responds', async (t) => {
    const vopay = await started(t);
    await vopay.faults({ payouts: 'deposited_before_reply' });
    const { body } = await vopay.post('interac/bulk-payout', payout());
    assert.deepEqual(
      [body['TransactionStatus'], vopay.notified().at(-1)],
      ['pending', `successful ${body['TransactionID']}`],
    );
  });
});

describe('the recipient of a VoPay payout', () => {
  const sent = async (vopay: VoPayUnderTest, fields: Fields = {}) => {
    const id = await accepted(vopay, fields);
    await pass(vopay, 500);
    return String(id);
  };

  it('a VoPay recipient is asked the security question, and deposits with the answer', async (t) => {
    const vopay = await started(t);
    const id = await sent(vopay);
    assert.match((await vopay.page(`/inbox/message?id=${id}`)).text, /Which colour\?/);
    assert.match((await vopay.page('/inbox/message', { id, answer: 'oak' })).text, /That is not the answer/);
    assert.match((await vopay.page('/inbox/message', { id, answer: 'maple' })).text, /done/);
    const { payouts_deposited: deposited, paid_out_amount: amount } = await vopay.summary();
    assert.deepEqual([deposited, amount], [1, '10.55']);
  });

  it('the money of a VoPay payout returns when its recipient declines or does not deposit it', async (t) => {
    const vopay = await started(t);
    const declined = await sent(vopay);
    await vopay.page('/inbox/message', { id: declined, behaviour: 'decline' });
    assert.match(await statusOf(vopay, Number(declined)), /^failed 1 /);
    const unclaimed = await sent(vopay, { CancellationPeriod: '2' });
    await pass(vopay, 2 * DAY_MS);
    assert.match(await statusOf(vopay, Number(unclaimed)), /^cancelled 3 /);
    assert.equal((await vopay.summary())['available'], '1000.00');
  });
});
