import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';

const PLANTED = {
  card_number: '4929 4205 7359 5709',
  card_expiry: '11 / 38',
  card_cvv: '739',
  card_holder: 'ANNA EXAMPLE',
};
const RIGHT = { ...PLANTED, email: 'anna@example.com' };

const PAID: PaymentAnswer = {
  kind: 'paid',
  money: { currency: 'EUR', minor: 1_250n },
  payerAccount: '492942******5709',
  providerReference: 'P1',
};
const REFUSED: PaymentAnswer = {
  kind: 'refused',
  refusal: 'insufficient_funds',
  canRetry: true,
  detail: '51',
  providerReference: 'P1',
};
const post = (purpose: 'fingerprint' | 'challenge'): PaymentAnswer => ({
  kind: 'step',
  step: { kind: 'post', purpose, url: 'https://acs.example/page', fields: { creq: 'abc' } },
  keep: purpose,
  providerReference: 'P1',
});

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

/** Opens the card page of a new order. */
async function cardPage(change: Readonly<Record<string, string>> = {}) {
  const payer = stage.payer({ 'user-agent': 'Walker/1', accept: 'text/html' });
  orders += 1;
  const page = await payer.open(formLink({ order: `C${orders}`, payment_type: 'card', ...change }));
  assert.equal(page.heading, 'Pay by card');
  return { payer, page, token: page.token };
}

const calls = () => stage.calls.map(({ call }) => call);

describe('a payer by card', () => {
  it('a card payer pays and sees a link back to the shop with the result', async () => {
    const { payer, page, token } = await cardPage();
    stage.script.push(PAID);
    const paid = await payer.press(page, 'pay', {
      ...RIGHT,
      browser_screen_width: '1280',
      browser_java_script: 'true',
    });
    assert.equal(paid.heading, 'Payment received');
    const back = new URL(
      /href="(https:\/\/shop\.example\/paid[^"]*)"/.exec(paid.text)?.[1]?.replaceAll('&amp;', '&') ?? '',
    );
    assert.deepEqual(
      ['own', 'co_inv_st', 'amount'].map((name) => back.searchParams.get(name)),
      ['1', 'success', '12.50'],
    );
    assert.equal(await stage.standing(token), 'success paid');
    const [call] = stage.calls;
    assert.equal(call?.card?.number.reveal(), '4929420573595709');
    assert.deepEqual(
      [call?.card?.expiry.reveal(), call?.card?.cvv.reveal(), call?.card?.holder],
      ['11/38', '739', 'ANNA EXAMPLE'],
    );
    const { email, ip, browser, country } = call?.order.payer ?? assert.fail();
    assert.deepEqual([email, ip, country], ['anna@example.com', '127.0.0.1', 'IE']);
    assert.deepEqual([browser.userAgent, browser.screenWidth, browser.hasJavaScript], ['Walker/1', 1280, true]);
  });

  it('a card payer sees errors next to the fields, and no page repeats the card data', async () => {
    const { payer, page, token } = await cardPage();
    const typed = { ...RIGHT, card_number: '4929420573595700', card_expiry: '11/19', card_cvv: '', email: 'anna@' };
    const wrong = await payer.press(page, 'pay', typed);
    assert.equal(wrong.status, 422);
    for (const text of [
      'Check the card number',
      'This card has expired',
      'Enter the security code',
      'Enter an email address such',
    ])
      assert.ok(wrong.text.includes(text), text);
    assert.match(wrong.text, /value="ANNA EXAMPLE"/);
    assert.match(wrong.text, /value="anna@"/);
    assert.doesNotMatch(wrong.text, /4929|11\/19/);
    assert.equal(await stage.standing(token), 'none');
    stage.script.push(PAID);
    assert.equal((await payer.press(wrong, 'pay', RIGHT)).heading, 'Payment received');
  });

  it('no page repeats a card number that the payer typed into another field', async () => {
    const { payer, page } = await cardPage();
    const number = '4929420573595709';
    stage.script.push(REFUSED, PAID);
    const misplaced = await payer.press(page, 'pay', {
      ...RIGHT,
      card_holder: number,
      email: number,
      card_cvv: number,
    });
    assert.equal(misplaced.status, 422);
    const refused = await payer.press(misplaced, 'pay', RIGHT);
    await payer.press(await payer.press(refused, 'try_again'), 'pay', RIGHT);
    assert.ok(payer.seen.length > 5);
    for (const answer of payer.seen) assert.doesNotMatch(answer, /4929 ?4205 ?7359 ?5709/);
  });

  it('a card payer may retry after a decline, up to the merchant’s attempt limit', async () => {
    stage.addMerchant('M2', { settings: { form_attempts: '2' } });
    const { payer, page, token } = await cardPage({ merchant: 'M2' });
    stage.script.push(REFUSED, REFUSED);
    const refused = await payer.press(page, 'pay', RIGHT);
    assert.match(refused.text, /not enough money[\s\S]*You have 1 attempt left/);
    const again = await payer.press(refused, 'try_again');
    assert.equal(again.heading, 'Pay by card');
    const last = await payer.press(again, 'pay', RIGHT);
    assert.match(last.text, /no attempts left[\s\S]*href="https:\/\/shop\.example\/failed\?[^"]*co_inv_st=canceled"/);
    assert.ok(!last.acts.includes('try_again'));
    assert.equal(await stage.standing(token), 'fail refused refused');
  });

  it('a repeated submit never charges a card twice', async () => {
    const { payer, page, token } = await cardPage();
    const tab = await payer.open(page.address);
    const answer = Promise.withResolvers<PaymentAnswer>();
    stage.script.push(answer.promise);
    const [first, second] = [payer.press(page, 'pay', RIGHT), payer.press(page, 'pay', RIGHT)];
    const early = await Promise.race([first, second]);
    assert.equal(early.heading, 'The payment is being confirmed', 'who came second is shown the first');
    assert.equal((await payer.press(tab, 'pay', RIGHT)).heading, 'The payment is being confirmed');
    answer.resolve(REFUSED);
    await Promise.all([first, second]);
    assert.equal(await stage.standing(token), 'pending refused');
    for (const old of [page, tab]) {
      const shown = await payer.press(old, 'pay', RIGHT);
      assert.equal(shown.heading, 'The payment was not made', 'a replay after the end is shown the end');
    }
    assert.deepEqual(calls(), ['start']);
  });

  it('a card page rejects a CSRF token that is invalid, missing or from another session', async () => {
    const one = await cardPage();
    const other = await cardPage();
    const wrongs = [
      { ...one.page.hidden('pay'), csrf: 'x' },
      { ...one.page.hidden('pay'), csrf: '' },
      other.page.hidden('pay'),
    ];
    for (const hidden of wrongs) {
      const page = await one.payer.post(one.page.address, new URLSearchParams({ ...hidden, ...RIGHT }));
      assert.deepEqual([page.status, page.heading], [403, 'This page was out of date']);
      assert.ok(page.text.includes(`<a class="button button--primary" href="${one.page.address}`), page.text);
    }
    assert.equal((await one.payer.open(`/payment/form/${'x'.repeat(43)}`)).status, 404);
    assert.equal((await one.payer.post('/payment/form/nobody', 'act=pay')).status, 404);
    assert.deepEqual(calls(), []);
  });

  it('a card payer on an expired page is not charged, and sees that the time is over', async () => {
    const { payer, page, token } = await cardPage();
    stage.bench.clock.advance(30 * MINUTE_MS);
    const late = await payer.press(page, 'pay', RIGHT);
    assert.equal(late.heading, 'The time to pay has run out');
    assert.match(late.text, /href="https:\/\/shop\.example\/failed\?/);
    assert.equal(await stage.standing(token), 'none');
  });

  it('a card payer who cancels before any attempt does not create a deposit', async () => {
    const { payer, page, token } = await cardPage();
    const cancelled = await payer.press(page, 'cancel');
    assert.equal(cancelled.heading, 'Payment cancelled');
    assert.equal(await stage.standing(token), 'none');
    stage.script.push(REFUSED);
    const refused = await payer.press(page, 'pay', RIGHT);
    const ended = await payer.press(refused, 'cancel');
    assert.equal(ended.heading, 'Payment cancelled');
    assert.equal((await stage.record(token)).deposit?.failReason, 'cancelled');
    assert.match(ended.text, /co_inv_id=\d+/);
  });

  it('a card payer cannot exceed the merchant’s limits against card testing', async () => {
    stage.addMerchant('M3', { settings: { card_attempt_limit: '1' } });
    stage.script.push(REFUSED);
    const first = await cardPage({ merchant: 'M3' });
    await first.payer.press(first.page, 'pay', RIGHT);
    const second = await cardPage({ merchant: 'M3' });
    const page = await second.payer.press(second.page, 'pay', RIGHT);
    assert.deepEqual([page.status, page.heading], [429, 'Too many attempts']);
    assert.deepEqual(stage.limitedAttempts, ['M3 target']);
  });

  it('a card payer who changes the language keeps what they typed, except the card’s secrets', async () => {
    const { payer, page } = await cardPage();
    const german = await payer.press(page, 'pay', { ...RIGHT, switch_to: 'de' });
    assert.deepEqual([german.status, german.heading], [200, 'Mit Karte bezahlen']);
    assert.match(german.text, /value="ANNA EXAMPLE"/);
    assert.match(german.text, /value="anna@example\.com"/);
    assert.match(german.text, /geben Sie bitte Kartennummer, Datum und Prüfnummer noch einmal ein/);
    assert.doesNotMatch(german.text, /4929|5709|11 \/ 38|739/);
    assert.deepEqual(calls(), []);
    stage.script.push(PAID);
    assert.equal((await payer.press(german, 'pay', RIGHT)).heading, 'Zahlung eingegangen');
  });

  it('a card payer sees that the order is already paid', async () => {
    const { payer, page } = await cardPage({ order: 'TWICE' });
    const other = await cardPage({ order: 'TWICE' });
    stage.script.push(PAID);
    await payer.press(page, 'pay', RIGHT);
    const taken = await other.payer.press(other.page, 'pay', RIGHT);
    assert.deepEqual([taken.status, taken.heading], [409, 'This order is already paid']);
  });

  it('a card payer who returns after closing the browser sees the result', async () => {
    const { payer, page, token } = await cardPage();
    stage.script.push({ kind: 'unknown', reason: 'timed out' });
    assert.equal((await payer.press(page, 'pay', RIGHT)).heading, 'The payment is being confirmed');
    const attempt = (await stage.record(token)).attempts[0] ?? assert.fail();
    stage.script.push(PAID);
    const { askOne } = await import('../../../domain/payments/attempts/ask-payments.ts');
    const deposit = (await stage.record(token)).deposit ?? assert.fail();
    const rail = stage.payments.rails.find(({ name }) => name === attempt.rail) ?? assert.fail();
    await askOne({ ...stage.payments, recordAdjustment: async () => 'recorded' }, rail, { attempt, deposit });
    assert.equal((await payer.open(page.address)).heading, 'Payment received');
  });
});

describe('3-D Secure', () => {
  const returnPath = (index = 0) => {
    const url = new URL(stage.calls[index]?.order.returnUrl ?? '');
    assert.equal(url.origin, 'https://pay.example');
    return url.pathname + url.search;
  };

  async function challenged() {
    const visit = await cardPage();
    stage.script.push(post('challenge'));
    const page = await visit.payer.press(visit.page, 'pay', RIGHT);
    assert.equal(page.heading, 'Confirm that it is you');
    return { ...visit, page };
  }

  it('3-D Secure goes from the fingerprint frame through the challenge frame to the result', async () => {
    const { payer, page, token } = await cardPage();
    stage.script.push(post('fingerprint'), post('challenge'), PAID);
    const fingerprint = await payer.press(page, 'pay', RIGHT);
    assert.equal(fingerprint.heading, 'Checking with your bank');
    assert.match(fingerprint.headers.get('content-security-policy') ?? '', /frame-src 'self' https:\/\/acs\.example/);
    const inFrame = { 'sec-fetch-dest': 'iframe', origin: 'https://acs.example' };
    const seen = await payer.post(returnPath(), 'threeDSMethodData=abc&x=1', inFrame);
    assert.equal(seen.heading, 'Almost done');
    assert.match(seen.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
    assert.deepEqual(stage.calls[1]?.returned?.fields, { threeDSMethodData: 'abc', x: '1' });
    const stale = await payer.press(fingerprint, 'go_on', { completed: 'yes' });
    assert.equal(stale.heading, 'Confirm that it is you', 'the frame was faster, so the provider is called once');
    assert.deepEqual(calls(), ['start', 'handle_return']);
    assert.equal((await payer.post(returnPath(1), 'cres=xyz', inFrame)).heading, 'Almost done');
    assert.equal((await payer.open(stale.address)).heading, 'Payment received');
    assert.equal(await stage.standing(token), 'success paid');
  });

  it('3-D Secure continues without a fingerprint if its frame does not finish', async () => {
    const { payer, page } = await cardPage();
    stage.script.push(post('fingerprint'), PAID);
    const fingerprint = await payer.press(page, 'pay', RIGHT);
    const paid = await payer.press(fingerprint, 'go_on');
    assert.equal(paid.heading, 'Payment received');
    assert.deepEqual(stage.calls[1]?.returned?.fields, { completed: 'no' });
  });

  it('3-D Secure without JavaScript redirects the payer to the bank and back', async () => {
    const { payer } = await challenged();
    stage.script.push(PAID);
    const back = await payer.post(returnPath(), 'cres=xyz', { 'sec-fetch-dest': 'document' });
    assert.equal(back.heading, 'Payment received');
  });

  it('a 3-D Secure return needs the attempt’s secret, and a repeated or late return has no effect', async () => {
    const one = await challenged();
    const path = returnPath();
    const other = await challenged();
    const forged = path.replace(one.token, other.token);
    for (const wrong of [forged, path.replace('/1-', '/2-'), path.slice(0, -1), `${path}x`, path.replace(/1-.*/, 'x')])
      assert.equal((await one.payer.open(wrong)).status, 404, wrong);
    assert.equal(calls().length, 2);
    stage.script.push(REFUSED);
    const top = { 'sec-fetch-dest': 'document' };
    assert.equal((await one.payer.open(path, top)).heading, 'The payment was not made');
    assert.equal((await one.payer.open(path, top)).heading, 'The payment was not made');
    assert.equal((await one.payer.post(path, 'cres=late', top)).heading, 'The payment was not made');
    assert.deepEqual(calls(), ['start', 'start', 'handle_return']);
  });

  it('the form asks a payer who cancels during 3-D Secure for confirmation once, and lets them continue', async () => {
    const { payer, page, token } = await cardPage();
    stage.script.push(post('challenge'));
    const challenge = await payer.press(page, 'pay', RIGHT);
    const body = new URLSearchParams(challenge.hidden('cancel'));
    const question = await payer.post(challenge.address, body);
    assert.deepEqual([question.heading, question.acts], ['Cancel the payment?', ['continue_paying', 'cancel']]);
    assert.deepEqual(calls(), ['start'], 'the question to the payer calls no provider');
    assert.equal((await payer.press(question, 'continue_paying')).heading, challenge.heading);
    assert.equal(await stage.standing(token), 'pending acting');
  });

  it('the gateway cancels the payment at the provider when the payer cancels during 3-D Secure', async () => {
    const { payer, page, token } = await challenged();
    stage.script.push({
      kind: 'step',
      step: { kind: 'redirect', url: 'https://x.example' },
      keep: '',
      providerReference: 'P1',
    });
    const ended = await payer.press(page, 'cancel');
    assert.deepEqual([ended.heading, calls().at(-1)], ['Payment cancelled', 'cancel']);
    assert.equal(await stage.standing(token), 'fail abandoned');
  });

  it('a payer who cancels during 3-D Secure sees the result if the provider reports the payment as paid', async () => {
    const { payer, page } = await challenged();
    stage.script.push(PAID);
    assert.equal((await payer.press(page, 'cancel')).heading, 'Payment received');
  });

  it('a 3-D Secure return accepts any body without failing', async () => {
    const { payer } = await challenged();
    const top = { 'sec-fetch-dest': 'document' };
    const again = post('challenge');
    for (const body of [
      '',
      '&&=&',
      '%',
      `cres=${'x'.repeat(10_000)}`,
      '__proto__=1&constructor=2',
      'a=1&a=2',
      '\u0000=\u0000',
    ]) {
      stage.script.push(again);
      const page = await payer.post(returnPath(), body, top);
      assert.deepEqual([page.status, page.heading], [200, 'Confirm that it is you'], body.slice(0, 20));
    }
    assert.deepEqual(stage.calls.at(-2)?.returned?.fields, { a: '1' });
  });
});
