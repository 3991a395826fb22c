/**
 * Runs payments against the bank's simulator over HTTPS. Both use one clock that the test moves. The bank's book
 * proves what was paid.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type {
  NoEffect,
  PaidAnswer,
  PaymentAnswer,
  PaymentOrder,
  PaymentRail,
  PaymentStatus,
} from '../../domain/payments/payment-rail.ts';
import { HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { locationIn } from './br-code.ts';
import { CHAVE, openPixUnderTest, PAYER_CPF, type PixUnderTest } from './rail-under-test.ts';
import { identifierOf } from './reference.ts';

let bench: PixUnderTest;
let rail: PaymentRail;
before(async () => {
  bench = await openPixUnderTest();
  ({ rail } = bench.connect());
});
beforeEach(() => bench.control('reset', {}));
after(() => bench.close());

const faults = (change: object) => bench.control('faults', change);
const pay = (order: PaymentOrder, change: object = {}) =>
  bench.control('pay', { txid: identifierOf(order.reference), ...change });
const start = (order: PaymentOrder) => rail.start(order, null, noDeadline());
const ask = (order: PaymentOrder) => rail.ask(order, noDeadline());
const cancel = (order: PaymentOrder) => rail.cancel?.(order, noDeadline());
const entries = async () => (await bench.control('book'))['entries'] as Record<string, unknown>[];
const booked = async () => {
  const { charges, pix, pix_amount } = await bench.control('summary');
  return [charges, pix, pix_amount];
};

async function started(change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
  const order = bench.order(change);
  assert.equal((await start(order)).kind, 'step');
  return order;
}

function codeIn(answer: PaymentAnswer | PaymentStatus | NoEffect): string {
  assert.ok(answer.kind === 'step' && answer.step.kind === 'code', JSON.stringify(answer.kind));
  return answer.step.text;
}

/** Asks without the payer's data, because a gateway keeps none for a query. */
async function paidBy(order: PaymentOrder): Promise<PaidAnswer> {
  const status = await ask({ ...order, payer: { ...order.payer, cpf: '', firstName: '', lastName: '' } });
  assert.ok(status.kind === 'paid', status.kind);
  return status;
}

describe('payments over Pix', () => {
  it('a Pix payment becomes a charge for its payer, with a BR Code for it', async () => {
    const order = bench.order();
    const answer = await start(order);
    const location = locationIn(codeIn(answer)) ?? '';
    assert.ok(location.startsWith(new URL(bench.bank.pagesUrl).host));
    assert.equal(answer.kind === 'step' && answer.providerReference, identifierOf(order.reference));
    const [charge] = await entries();
    assert.deepEqual(
      [charge?.['txid'], charge?.['valor'], charge?.['chave'], charge?.['expiracao'], charge?.['solicitacaoPagador']],
      [identifierOf(order.reference), '100.50', CHAVE, 3_600, `${order.merchantName}: N17`],
    );
    assert.deepEqual(charge?.['devedor'], { cpf: PAYER_CPF, nome: 'Ana Souza' });
    assert.equal(codeIn(await ask(order)), codeIn(answer));
    assert.equal(codeIn(await rail.handleReturn(order, { fields: {} }, noDeadline())), codeIn(answer));
  });

  it('a Pix charge of an unsigned form shows its payer only the merchant’s registered name', async () => {
    const order = { ...bench.order(), signedOrder: '' };
    await start(order);
    const [charge] = await entries();
    assert.equal(charge?.['solicitacaoPagador'], order.merchantName);
  });

  it('a payer pays a Pix charge by pasting its BR Code at a bank', async () => {
    const order = bench.order();
    const code = codeIn(await start(order));
    const page = await fetch(`${bench.bank.pagesUrl}/pay?charge=${encodeURIComponent(code)}`);
    assert.match(await page.text(), /R\$ 100\.50/);
    const form = { txid: identifierOf(order.reference), account: 'azul', cpf: PAYER_CPF, name: 'Ana Souza' };
    const paidPage = await fetch(`${bench.bank.pagesUrl}/pay`, { method: 'POST', body: new URLSearchParams(form) });
    assert.match(await paidPage.text(), /R\$ 100\.50 went to Loja do Brasil/);
    const paid = await paidBy(order);
    assert.match(paid.providerReference, /^E[a-zA-Z0-9]{31}$/);
    assert.deepEqual(paid, {
      kind: 'paid',
      money: order.money,
      payerAccount: PAYER_CPF,
      receiptKey: paid.providerReference,
      isFromAnother: false,
      providerReference: paid.providerReference,
      further: [],
      later: [],
    });
  });

  it('a Pix charge gets our own BR Code if the bank’s BR Code is missing or has an invalid checksum', async () => {
    const given = codeIn(await start(bench.order()));
    for (const code of ['none', 'broken']) {
      await faults({ code });
      const ours = codeIn(await start(bench.order()));
      assert.equal(
        ours.replace(locationIn(ours) ?? '', ''),
        given.replace(locationIn(given) ?? '', '').replace(/....$/, ours.slice(-4)),
      );
    }
  });

  it('a Pix charge has no debtor if the payer has no name', async () => {
    await start(bench.order({}, { firstName: '', lastName: '' }));
    assert.equal((await entries())[0]?.['devedor'], null);
  });

  it('a Pix charge is not requested after the payer’s time', async () => {
    assert.equal((await start(bench.order({ expiresAt: bench.clock.now() + 999 }))).kind, 'not_accepted');
    assert.deepEqual(await booked(), [0, 0, '0.00']);
  });

  it('a Pix charge past its time is declined as expired once the bank removed it', async () => {
    const order = await started();
    bench.clock.advance(HOUR_MS + MINUTE_MS);
    assert.equal((await ask(order)).kind, 'step');
    const ended = await cancel(order);
    assert.deepEqual([ended?.kind, ended?.kind === 'refused' && ended.refusal], ['refused', 'expired']);
    assert.deepEqual(await ask(order), ended);
  });
});

describe('payers of a Pix', () => {
  const cases: readonly (readonly [
    what: string,
    pay: object,
    fault: object,
    isFromAnother: boolean,
    account: string,
  ])[] = [
    ['is another person', { behaviour: 'other_cpf' }, {}, true, '11144477735'],
    ['pays with the same CPF and another name', { cpf: PAYER_CPF, name: 'Ana S.' }, {}, false, PAYER_CPF],
    ['has a masked CPF', { behaviour: 'other_cpf' }, { payer: 'masked' }, false, ''],
    ['is not named', { behaviour: 'other_cpf' }, { payer: 'omitted' }, false, ''],
  ];
  for (const [what, how, fault, isFromAnother, account] of cases)
    it(`a Pix payer who ${what} is recorded as the bank reports`, async () => {
      await faults(fault);
      const order = await started();
      await pay(order, how);
      const paid = await paidBy(order);
      assert.deepEqual([paid.isFromAnother, paid.payerAccount, paid.money], [isFromAnother, account, order.money]);
    });

  it('a Pix payment of a charge without a debtor is never treated as a different payer’s', async () => {
    const order = bench.order({}, { cpf: '' });
    await start(order);
    await pay(order);
    assert.equal((await paidBy(order)).isFromAnother, false);
  });

  const amounts: readonly (readonly [behaviour: string, minor: readonly bigint[]])[] = [
    ['short', [9_950n]],
    ['over', [10_150n]],
    ['twice', [10_050n, 10_050n]],
  ];
  for (const [behaviour, minor] of amounts)
    it(`a Pix charge that was paid ${behaviour} has one receipt for each Pix, under stable keys`, async () => {
      const order = await started();
      await pay(order, { behaviour });
      const paid = await paidBy(order);
      const receipts = [paid, ...(paid.further ?? [])];
      assert.deepEqual(
        receipts.map(({ money }) => money.minor),
        minor,
      );
      assert.equal(new Set(receipts.map(({ receiptKey }) => receiptKey)).size, minor.length);
      assert.deepEqual(await paidBy(order), paid);
      assert.deepEqual((await booked()).slice(0, 2), [1, minor.length]);
    });

  it('a Pix that arrives after the removal of its charge is still treated as paid', async () => {
    const order = await started();
    assert.equal((await cancel(order))?.kind, 'refused');
    await pay(order, { behaviour: 'in_flight' });
    assert.deepEqual((await paidBy(order)).money, order.money);
  });
});

describe('charges that the bank does not accept immediately', () => {
  it('a Pix charge with invalid payer details is rejected, and the payer can correct them', async () => {
    const order = bench.order({}, { cpf: '11111111111' });
    const answer = await start(order);
    assert.deepEqual([answer.kind, answer.kind === 'refused' && answer.refusal], ['refused', 'payer_details']);
    assert.deepEqual(await ask(order), { kind: 'not_found' });
  });

  it('a Pix charge that the bank rejects for any other reason is not accepted if a query does not find it', async () => {
    const stranger = bench.connect({ chave: 'another key' });
    const answer = await stranger.rail.start(bench.order(), null, noDeadline());
    assert.deepEqual(answer, {
      kind: 'not_accepted',
      reason:
        'HTTP 400 Cobrança inválida. O campo cob.chave corresponde a uma conta que não pertence a este usuário recebedor.',
    });
    await faults({ charges: 'refuse' });
    assert.equal((await start(bench.order())).kind, 'not_accepted');
    assert.deepEqual(await booked(), [0, 0, '0.00']);
  });

  it('a Pix charge without a response has an unknown outcome until a query finds it at the bank', async () => {
    await faults({ charges: 'accept_unanswered' });
    const order = bench.order();
    assert.deepEqual(await rail.start(order, null, deadlineAfter(150)), {
      kind: 'unknown',
      reason: 'no response in time',
    });
    assert.equal((await ask(order)).kind, 'step');
    await faults({ charges: 'lose' });
    const lost = bench.order();
    assert.equal((await rail.start(lost, null, deadlineAfter(150))).kind, 'unknown');
    assert.deepEqual(await ask(lost), { kind: 'not_found' });
    assert.equal((await rail.handleReturn(lost, { fields: {} }, noDeadline())).kind, 'unknown');
  });

  it('a Pix charge after an HTTP 500 has an unknown outcome until a query finds it at the bank', async () => {
    await faults({ charges: 'accept_500' });
    const order = bench.order();
    assert.deepEqual(await start(order), { kind: 'unknown', reason: 'HTTP 500' });
    assert.equal((await ask(order)).kind, 'step');
    await faults({ charges: 'accept', answer_500: 1 });
    const other = bench.order();
    assert.equal((await start(other)).kind, 'unknown');
    assert.deepEqual(await ask(other), { kind: 'not_found' });
  });

  it('a Pix charge that is requested twice exists once and keeps its payment', async () => {
    const order = bench.order();
    const code = codeIn(await start(order));
    assert.equal(codeIn(await start(order)), code);
    await pay(order);
    assert.equal((await start(order)).kind, 'paid');
    assert.deepEqual(await booked(), [1, 1, '100.50']);
  });

  it('a Pix charge is found if the bank rejects its repetition', async () => {
    await faults({ repeated_charges: 'refuse', charges: 'accept_500' });
    const order = bench.order();
    assert.equal((await start(order)).kind, 'unknown');
    assert.equal((await start(order)).kind, 'step');
    assert.equal((await booked())[0], 1);
  });

  it('a Pix charge with an amount other than ours has an unknown outcome and is never shown', async () => {
    const order = await started();
    assert.deepEqual(await ask({ ...order, money: { currency: 'BRL', minor: 1n } }), {
      kind: 'unknown',
      reason: 'the bank requests another amount',
    });
  });

  it('a dropped connection leaves the outcome of a Pix charge unknown; a refused connection means that the bank did not accept it', async () => {
    const order = await started();
    await faults({ down: true });
    assert.equal((await ask(order)).kind, 'unknown');
    assert.equal((await start(order)).kind, 'unknown');
    await faults({ down: false });
    const nobody = bench.connect({ url: 'https://127.0.0.1:1/api/v2' }).rail;
    assert.deepEqual(await nobody.start(order, null, noDeadline()), {
      kind: 'not_accepted',
      reason: 'no connection: ECONNREFUSED',
    });
    assert.equal((await nobody.ask(order, noDeadline())).kind, 'unknown');
  });
});

describe('cancelled Pix charges', () => {
  it('a cancelled Pix charge is removed, and a payer can no longer pay it', async () => {
    const order = await started();
    const ended = await cancel(order);
    assert.deepEqual([ended?.kind, ended?.kind === 'refused' && ended.refusal], ['refused', 'cancelled_by_payer']);
    assert.deepEqual(await cancel(order), ended);
    const form = { txid: identifierOf(order.reference), account: 'azul', cpf: PAYER_CPF };
    const page = await fetch(`${bench.bank.pagesUrl}/pay`, { method: 'POST', body: new URLSearchParams(form) });
    assert.match(await page.text(), /has removed this charge/);
    assert.deepEqual(await booked(), [1, 0, '0.00']);
  });

  it('a Pix charge that was paid just before its cancellation is paid', async () => {
    await faults({ removals: 'paid_first' });
    const order = await started();
    assert.equal((await cancel(order))?.kind, 'paid');
  });

  it('the cancellation of a Pix charge without a response has an unknown outcome, and a status query finds the charge declined', async () => {
    await faults({ removals: 'remove_unanswered' });
    const order = await started();
    assert.equal((await rail.cancel?.(order, deadlineAfter(150)))?.kind, 'unknown');
    assert.equal((await ask(order)).kind, 'refused');
  });

  it('cancelling a Pix charge that the bank never received returns not_found', async () =>
    assert.deepEqual(await cancel(bench.order()), { kind: 'not_found' }));
});
