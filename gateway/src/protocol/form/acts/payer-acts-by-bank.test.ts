import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import { WIRE_FORM_KEY } from '../../../../test/support/merchants/wire-merchants.ts';
import { signOver } from '../../../../test/support/payouts/payout-request.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';
import type { Currency } from '../../../foundation/currency.ts';

const paid = (currency: Currency): PaymentAnswer => ({
  kind: 'paid',
  money: { currency, minor: 1_250n },
  payerAccount: '',
  providerReference: 'P1',
});
const step = (what: Extract<PaymentAnswer, { kind: 'step' }>['step']): PaymentAnswer => ({
  kind: 'step',
  step: what,
  keep: 'kept',
  providerReference: 'P1',
});
const LEAVE = step({ kind: 'redirect', url: 'https://bank.example/login?x=1' });
const CODE = step({ kind: 'code', text: '00020126BRCODE' });
const REFUSED: PaymentAnswer = {
  kind: 'refused',
  refusal: 'declined',
  canRetry: false,
  detail: '',
  providerReference: 'P1',
};
const TOP = { 'sec-fetch-dest': 'document' };
const CPF = '52998224725';

let stage: FormStage;
let orders = 0;

before(async () => {
  stage = await openFormStage();
  stage.addMerchant('M1');
});
beforeEach(() => {
  stage.script.length = 0;
  stage.calls.length = 0;
});
after(async () => {
  assert.deepEqual(stage.internalErrors, []);
  await stage.close();
});

async function opened(change: Readonly<Record<string, string>>) {
  const payer = stage.payer();
  orders += 1;
  const page = await payer.open(formLink({ order: `B${orders}`, ...change }));
  return { payer, page, token: page.token };
}

const calls = () => stage.calls.map(({ call, rail }) => `${rail} ${call}`);
const returnPath = (index = 0) => new URL(stage.calls[index]?.order.returnUrl ?? '');

describe('a payer by open banking', () => {
  it('an open-banking payer returns from the chosen bank to the result', async () => {
    const { payer, page, token } = await opened({});
    assert.equal(page.heading, 'How would you like to pay?');
    const banks = await payer.press(page, 'choose', { payment_type: 'open_banking' });
    assert.equal(banks.heading, 'Choose your bank');
    stage.script.push(LEAVE);
    const leave = await payer.press(banks, 'choose_bank', { bank_id: 'credit' });
    assert.equal(leave.heading, 'Confirm at Crédit Agricole');
    assert.match(leave.text, /href="https:\/\/bank\.example\/login\?x=1" target="_top"/);
    assert.equal(stage.calls[0]?.order.payer.bankId, 'credit');
    stage.script.push({ kind: 'pending', isAuthorised: true, keep: '', providerReference: 'P1' });
    const { pathname } = returnPath();
    const back = await payer.open(`${pathname}?state=ok`, TOP);
    assert.equal(back.heading, 'The money is on its way');
    assert.deepEqual(stage.calls[1]?.returned?.fields, { state: 'ok' });
    assert.equal(await stage.standing(token), 'pending deciding');
  });

  it('an open-banking provider receives the registered merchant name, and the order only of a signed link', async () => {
    const planted = { item_name: 'Win a car at evil.example', custom: 'Win a car at evil.example' };
    const pix = { currency: 'BRL', country: 'BR', cpf: CPF, first_name: 'Ana', last_name: 'Souza', ...planted };
    for (const isSigned of [false, true]) {
      stage.calls.length = 0;
      stage.script.push(CODE);
      const order = `B${orders + 1}`;
      const sign = signOver({ merchant: 'M1', order, amount: '12.50', currency: 'BRL' }, 'all', WIRE_FORM_KEY);
      const { payer, page } = await opened(isSigned ? { ...pix, sign } : pix);
      await payer.press(page, 'pay');
      const [call] = stage.calls;
      assert.ok(call);
      assert.equal(call.order.signedOrder, isSigned ? order : '');
      const texts = Object.entries(call.order).map(([name, value]) => (name === 'money' ? '' : JSON.stringify(value)));
      assert.doesNotMatch(texts.join(), /evil/);
    }
  });

  it('an open-banking payer can search the banks without JavaScript and choose a result', async () => {
    const { payer, page } = await opened({ country: 'FR' });
    const banks = await payer.press(page, 'choose', { payment_type: 'open_banking' });
    const names = ({ text }: typeof banks) => [...text.matchAll(/choice-name">([^<]*)/g)].map(([, name]) => name);
    assert.deepEqual(
      names(banks),
      ['Crédit Agricole', 'Aareal Bank', 'Banco Santander'],
      'banks of the country come first',
    );
    const search = /<form [^>]*class="search"[\s\S]*?<\/form>/.exec(banks.text)?.[0] ?? '';
    const kept = [...search.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    assert.deepEqual(kept, [
      ['type', 'open_banking'],
      ['lang', 'en'],
    ]);
    const address = page.address.split('?')[0];
    const found = await payer.open(`${address}?type=open_banking&lang=en&bank_search=CREDIT`);
    assert.deepEqual(names(found), ['Crédit Agricole']);
    assert.match((await payer.open(`${address}?type=open_banking&bank_search=zz`)).text, /No bank matches “zz”/);
    stage.script.push(LEAVE);
    assert.equal(
      (await payer.press(found, 'choose_bank', { bank_id: 'credit' })).heading,
      'Confirm at Crédit Agricole',
    );
  });

  it('an open-banking link opens at its bank, or at the picker if the bank is unknown', async () => {
    const known = await opened({ bank_id: 'aareal' });
    assert.equal(known.page.heading, 'Pay from your bank account now');
    stage.script.push(LEAVE);
    assert.equal((await known.payer.press(known.page, 'pay')).heading, 'Confirm at Aareal Bank');
    assert.equal((await opened({ bank_id: 'nobody' })).page.heading, 'Choose your bank');
  });

  it('an open-banking payer cannot choose a payment type or bank that is not offered', async () => {
    const { payer, page } = await opened({});
    assert.equal(
      (await payer.press(page, 'choose', { payment_type: 'e_transfer' })).heading,
      'How would you like to pay?',
    );
    const banks = await payer.press(page, 'choose', { payment_type: 'open_banking' });
    assert.equal(
      (await payer.press(banks, 'choose_bank', { bank_id: 'nobody' })).heading,
      'How would you like to pay?',
    );
    assert.equal(
      (await payer.open(`${page.address}?type=e_transfer&after=7&bank=x&lang=xx`)).heading,
      'How would you like to pay?',
    );
    assert.deepEqual(calls(), []);
  });

  it('an open-banking payer may continue to the shop while authorised money is pending', async () => {
    const { payer, page, token } = await opened({ bank_id: 'aareal' });
    const pending: PaymentAnswer = { kind: 'pending', isAuthorised: true, keep: '', providerReference: 'P1' };
    stage.script.push(pending);
    assert.equal((await payer.press(page, 'pay')).heading, 'The money is on its way');
    const { attempts } = await stage.record(token);
    const { settleAttempt } = await import('../../../domain/payments/attempts/settle-attempt.ts');
    const [attempt] = attempts;
    const rail = stage.payments.rails.find(({ name }) => name === attempt?.rail);
    assert.ok(attempt && rail);
    await settleAttempt(stage.payments, rail, attempt, pending);
    assert.equal(
      (await payer.open(page.address)).heading,
      'The money is on its way',
      'a repeated return asks the provider nothing',
    );
    await settleAttempt(stage.payments, rail, attempt, { ...pending, askedAt: 0 });
    const going = await payer.open(page.address);
    assert.equal(going.heading, 'Taking you back to Shop M1');
    assert.match(going.text, /href="https:\/\/shop\.example\/paid\?[^"]*co_inv_st=success"/);
  });
});

describe('a payer who leaves for their bank', () => {
  it('the gateway cancels the payment at the provider when the payer leaves the bank’s page for another way', async () => {
    const { payer, page, token } = await opened({});
    const banks = await payer.press(page, 'choose', { payment_type: 'open_banking' });
    stage.script.push(LEAVE, { kind: 'unknown', reason: 'it does not know' });
    const leave = await payer.press(banks, 'choose_bank', { bank_id: 'aareal' });
    const ways = await payer.press(leave, 'another_way');
    assert.deepEqual([ways.heading, calls().at(-1)], ['How would you like to pay?', 'rail-open_banking cancel']);
    assert.equal(await stage.standing(token), 'pending abandoned');
    assert.equal(
      (await payer.press(leave, 'another_way')).heading,
      'How would you like to pay?',
      'a second press has no effect',
    );
    const { pathname } = returnPath();
    assert.equal(
      (await payer.open(pathname, TOP)).heading,
      'How would you like to pay?',
      'a late return has no effect',
    );
    assert.equal(calls().length, 2);
    const card = await payer.press(ways, 'choose', { payment_type: 'card' });
    assert.equal(card.heading, 'Pay by card');
  });

  it('the gateway cancels an attempt that waits for the bank’s message when the payer chooses another bank', async () => {
    const { payer, page, token } = await opened({});
    const banks = await payer.press(page, 'choose', { payment_type: 'open_banking' });
    stage.script.push(step({ kind: 'elsewhere', at: 'bank_message' }), { kind: 'unknown', reason: 'it does not know' });
    const message = await payer.press(banks, 'choose_bank', { bank_id: 'aareal' });
    assert.ok(message.acts.includes('another_bank'));
    const again = await payer.press(message, 'another_bank');
    assert.deepEqual([again.heading, calls().at(-1)], ['Choose your bank', 'rail-open_banking cancel']);
    assert.equal(await stage.standing(token), 'pending abandoned');
  });

  it('a payer who cancels at the bank list and continues finds the link’s bank', async () => {
    const { payer, page } = await opened({ payment_type: 'open_banking', bank_id: 'aareal' });
    const banks = await payer.press(page, 'another_bank');
    assert.equal(banks.heading, 'Choose your bank');
    const cancelled = await payer.press(banks, 'cancel');
    assert.equal((await payer.press(cancelled, 'continue_paying')).heading, 'Pay from your bank account now');
  });

  it('a payer who chooses another way sees the result if the provider meanwhile reports the payment as paid', async () => {
    const { payer, page } = await opened({});
    const banks = await payer.press(page, 'choose', { payment_type: 'open_banking' });
    stage.script.push(LEAVE, paid('EUR'));
    const leave = await payer.press(banks, 'choose_bank', { bank_id: 'aareal' });
    assert.equal((await payer.press(leave, 'another_way')).heading, 'Payment received');
  });
});

describe('a payer with a final decline', () => {
  it('a payer with a final decline may pay another way if the merchant allows it', async () => {
    const { payer, page, token } = await opened({});
    const frame = await payer.press(page, 'choose', { payment_type: 'bank_transfer_iframe' });
    stage.script.push(REFUSED);
    const refused = await payer.press(frame, 'pay', { first_name: 'Anna', email: 'a@example.com' });
    assert.deepEqual([refused.acts.includes('try_again'), refused.acts.includes('another_way')], [false, true]);
    const ways = await payer.press(refused, 'another_way');
    assert.deepEqual(
      [...ways.text.matchAll(/name="payment_type" value="(\w+)"/g)].map(([, type]) => type),
      ['card', 'open_banking'],
    );
    const card = await payer.press(ways, 'choose', { payment_type: 'card' });
    assert.equal(card.heading, 'Pay by card');
    stage.script.push(paid('EUR'));
    const fields = {
      card_number: '4111111111111111',
      card_expiry: '1/38',
      card_cvv: '123',
      card_holder: 'Anna',
      email: 'a@b.example',
    };
    assert.equal((await payer.press(card, 'pay', fields)).heading, 'Payment received');
    assert.equal(await stage.standing(token), 'success refused paid');
  });

  it('a payer with a final decline and no other payment type is sent back to the shop', async () => {
    stage.addMerchant('ONE', { settings: { form_other_type: 'off' } });
    const { payer, page } = await opened({ merchant: 'ONE' });
    const frame = await payer.press(page, 'choose', { payment_type: 'bank_transfer_iframe' });
    stage.script.push(REFUSED);
    const refused = await payer.press(frame, 'pay', { first_name: 'Anna', email: 'a@example.com' });
    assert.deepEqual(refused.acts, ['cancel']);
    assert.match(refused.text, /href="https:\/\/shop\.example\/failed\?/);
  });
});

describe('a payer by Pix', () => {
  it('a Pix payer enters the details that the link lacks, and sees the code', async () => {
    const { payer, page, token } = await opened({ currency: 'BRL', country: 'br', cpf: CPF, first_name: 'Ana' });
    assert.equal(page.heading, 'Your details');
    const wrong = await payer.press(page, 'pay', { last_name: '山田' });
    assert.deepEqual([wrong.status, /Latin letters/.test(wrong.text)], [422, true]);
    stage.script.push(CODE);
    const code = await payer.press(wrong, 'pay', { last_name: 'Souza' });
    assert.equal(code.heading, 'Pay with Pix');
    assert.match(code.text, />00020126BRCODE<\/textarea>/);
    assert.equal(stage.calls[0]?.order.payer.lastName, 'Souza');
    assert.equal(await stage.standing(token), 'pending acting');
    assert.ok(!code.acts.includes('another_way'), 'the link selects a payment type, so no other is offered');
  });
});

describe('a payer by e-transfer', () => {
  it('an e-transfer payer may type a formatted phone number, and sees where the request went', async () => {
    const link = { currency: 'CAD', country: 'CA', email: 'jo@example.com' };
    const { payer, page } = await opened(link);
    stage.script.push(step({ kind: 'elsewhere', at: 'bank_message' }));
    const waits = await payer.press(page, 'pay', { phone: '+1 (416) 555-0123', first_name: 'Jo' });
    assert.equal(waits.heading, 'Accept the request for money');
    assert.match(waits.text, /j•••@example\.com/);
    assert.equal(stage.calls[0]?.order.payer.phone, '+14165550123');
  });
});

describe('the bank’s page in a frame', () => {
  it('a framed bank page has a policy for its origins only', async () => {
    const { payer, page } = await opened({
      payment_type: 'bank_transfer_iframe',
      email: 'a@example.com',
      first_name: 'A',
    });
    stage.script.push(step({ kind: 'frame', url: 'https://bank.example/frame' }));
    const frame = await payer.press(page, 'pay');
    assert.match(
      frame.headers.get('content-security-policy') ?? '',
      /frame-src 'self' https:\/\/bank\.example https:\/\/more\.bank\.example;/,
    );
    stage.script.push({ kind: 'pending', isAuthorised: false, keep: '', providerReference: 'P1' });
    const done = await payer.open(`${returnPath().pathname}?how=success`);
    assert.equal(done.heading, 'Almost done', 'a browser that does not say where it is');
    assert.match(done.text, /href="\/payment\/form\/[A-Za-z0-9]{43}" target="_parent"/);
    assert.equal((await payer.open(frame.address)).heading, 'Your bank is processing the payment');
  });
});

describe('the language of a page', () => {
  it('the payer’s chosen language stays through every action and the bank’s page', async () => {
    const { payer, page } = await opened({ lang: 'kk' });
    assert.match(page.text, /<html lang="kk">/);
    const chosen = await payer.open(`${page.address}?lang=uk`);
    const banks = await payer.press(chosen, 'choose', { payment_type: 'open_banking' });
    assert.match(banks.text, /<html lang="uk">[\s\S]*name="switch_to" value="kk"/);
    const other = await payer.open(`${banks.address}&bank_search=aar&switch_to=kk`);
    assert.match(other.text, /<html lang="kk">[\s\S]*name="bank_search" type="search" value="aar"/);
    stage.script.push(LEAVE);
    const leave = await payer.press(banks, 'choose_bank', { bank_id: 'aareal' });
    assert.match(leave.text, /<html lang="uk">/);
    assert.equal(stage.calls[0]?.order.payer.language, 'uk');
    stage.script.push(REFUSED);
    const { pathname, search } = returnPath();
    assert.match((await payer.open(pathname + search, TOP)).text, /<html lang="uk">/);
  });
});
