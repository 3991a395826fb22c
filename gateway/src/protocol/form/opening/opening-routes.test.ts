import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import { WIRE_FORM_KEY, WIRE_KEY } from '../../../../test/support/merchants/wire-merchants.ts';
import { signOver } from '../../../../test/support/payouts/payout-request.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { createHttpAdmission } from '../../http/admission.ts';
import { FORM_FIELDS } from '../request/form-fields.ts';

const SCRIPT = `"><script>alert('x')</script>`;

let stage: FormStage;

before(async () => {
  stage = await openFormStage({ publicPath: '/gateway', defaultFormRate: 0 });
  stage.addMerchant('M1');
  stage.addMerchant('SIGNS', { settings: { form_sign: 'required' } });
  stage.addMerchant('OFF', { settings: { disabled_payment_types: 'card,open_banking,bank_transfer_iframe' } });
  stage.addMerchant('GONE', { state: 'suspended' });
  stage.addMerchant('SMALL', { settings: { 'max_amount.card.UAH': '10.00' } });
  stage.addMerchant('FRAMED', { settings: { allowed_embedding_origins: 'https://shop.example', default_lang: 'kk' } });
});
after(async () => {
  assert.deepEqual(stage.internalErrors, []);
  await stage.close();
});

/** Fetches without following redirects. */
async function fetched(path: string, init: RequestInit = {}) {
  const response = await fetch(stage.url + path, { redirect: 'manual', ...init });
  const text = await response.text();
  const fact = (name: string) => new RegExp(`<dt>${name}</dt><dd>(?:<code>)?([^<]*)`).exec(text)?.[1];
  return { status: response.status, headers: response.headers, text, field: fact('Field'), problem: fact('Problem') };
}

describe('the merchant’s link to the form', () => {
  it('a form link redirects to an opaque URL under the public path', async () => {
    const { status, headers, text } = await fetched(formLink({ email: 'a@example.com' }));
    assert.equal(status, 303);
    assert.match(headers.get('location') ?? '', /^\/gateway\/payment\/form\/[A-Za-z0-9]{43}$/);
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('referrer-policy'), text],
      ['no-store', 'no-referrer', ''],
    );
  });

  it('a form request may be a POST of a form body', async () => {
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetched('/payment/form', { method: 'POST', body, headers: { 'content-type': type } });
    const [, query = ''] = formLink().split('?');
    assert.equal((await post(query)).status, 303);
    assert.deepEqual([(await post('')).status, (await post('')).field], [400, 'merchant']);
    assert.equal((await post('merchant=M1&merchant=M2')).field, 'merchant');
    assert.equal((await post('{}', 'application/json')).status, 415);
    assert.equal((await post(`merchant=${'x'.repeat(70_000)}`)).status, 413);
    assert.equal((await fetched('/payment/form', { method: 'PUT' })).status, 405);
  });

  it('an invalid form link shows a page with the invalid field, in the link’s language', async () => {
    const cases: [change: Record<string, string | undefined>, field: string][] = [
      [{ merchant: undefined }, 'merchant'],
      [{ merchant: 'NOBODY' }, 'merchant'],
      [{ amount: '1,00' }, 'amount'],
      [{ order: undefined }, 'order'],
      [{ currency: 'XXX' }, 'currency'],
      [{ country: 'ZZ' }, 'country'],
      [{ bank_id: 'aareal', currency: 'UAH' }, 'bank_id'],
      [{ payment_type: 'cash' }, 'payment_type'],
      [{ merchant: 'OFF' }, 'currency'],
      [{ merchant: 'SMALL', currency: 'UAH' }, 'amount'],
      [{ merchant: 'SIGNS' }, 'sign'],
    ];
    for (const [change, field] of cases) {
      const answer = await fetched(formLink(change));
      assert.deepEqual([answer.status, answer.field], [400, field], field);
      assert.equal(answer.headers.get('location'), null);
    }
    assert.match((await fetched(formLink({ amount: '0', lang: 'ua' }))).text, /<html lang="uk">/);
    assert.match((await fetched(formLink({ amount: '0', merchant: 'FRAMED' }))).text, /<html lang="kk">/);
    const headers = { 'accept-language': 'kk' };
    for (const link of [formLink({ amount: '0' }), '/payment/form?merchant=%', `/payment/form/${'x'.repeat(43)}`])
      assert.match((await fetched(link, { headers })).text, /<html lang="kk">/, link);
    assert.equal((await fetched(formLink({ merchant: 'GONE' }))).status, 403);
    assert.ok(stage.refused.includes('M1 malformed amount') && stage.refused.includes('unknown_merchant merchant'));
  });

  it('a form request is signed only under the form key, and is rejected with an invalid signature', async () => {
    const signed = (key: string) => {
      const covered = { merchant: 'SIGNS', order: 'N17', amount: '12.50', currency: 'EUR' };
      return formLink({ ...covered, sign: signOver(covered, 'all', key) });
    };
    const opened = await fetched(signed(WIRE_FORM_KEY));
    const token = opened.headers.get('location')?.slice(-43) ?? '';
    assert.equal((await stage.record(token)).session.isSigned, true);
    for (const key of [WIRE_KEY, 'other']) {
      const { status, problem } = await fetched(signed(key));
      assert.deepEqual([status, problem], [400, 'the signature is wrong'], key);
    }
    for (const sign of ['', SCRIPT, 'a'.repeat(10_000)])
      assert.deepEqual(
        [(await fetched(formLink({ sign }))).status, (await fetched(formLink({ sign }))).field],
        [400, 'sign'],
      );
  });

  it('a form without a language opens in the browser’s language', async () => {
    const payer = stage.payer();
    const opened = await fetched(formLink(), { headers: { 'accept-language': 'uk-UA,uk;q=0.9' } });
    const page = await payer.open((opened.headers.get('location') ?? '').replace('/gateway', ''));
    assert.match(page.text, /<html lang="uk">/);
  });

  it('a form page shows the link’s parameters as text, and its URL contains none of them', async () => {
    const payer = stage.payer();
    const opened = await fetched(formLink({ currency: 'UAH', item_name: SCRIPT, first_name: 'José', lang: 'ua' }));
    const page = await payer.open((opened.headers.get('location') ?? '').replace('/gateway', ''));
    assert.match(page.text, /<html lang="uk">/);
    assert.ok(page.text.includes('&quot;&gt;&lt;script&gt;'));
    assert.ok(!page.text.includes('<script>alert'));
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.match(page.text, /src="\/gateway\/payment\/form\/assets\/form\.[0-9a-f]{16}\.js"/);
  });

  it('a form page may be framed only by the merchant’s registered origins', async () => {
    const framing = async (merchant: string) => {
      const answer = await fetched(formLink({ merchant, amount: '0' }));
      return /frame-ancestors ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1];
    };
    assert.equal(await framing('FRAMED'), 'https://shop.example');
    assert.equal(await framing('M1'), "'none'");
  });

  it('a form link with hostile parameters gets a safe page, never 5xx', async () => {
    const hostile = [
      SCRIPT,
      '\u0000',
      '\u202e',
      'a'.repeat(10_000),
      '%',
      '\ud800',
      '١٢',
      "';--",
      '../..',
      '{{7*7}}',
      '\r\nx: y',
    ];
    for (const field of [...Object.keys(FORM_FIELDS), 'lang', '__proto__', 'unknown']) {
      for (const value of hostile) {
        const [, query = ''] = formLink({ [field]: value }).split('?');
        for (const answer of [
          await fetched(`/payment/form?${query}`),
          await fetched('/payment/form', { method: 'POST', body: new URLSearchParams(query) }),
        ]) {
          assert.ok([303, 400].includes(answer.status), `${field}=${value.slice(0, 20)}: ${answer.status}`);
          assert.ok(!answer.text.includes('<script>alert') && !answer.text.includes('aaaaaaaaaa'), field);
          assert.equal(answer.headers.get('x'), null);
        }
      }
    }
  });

  it('the response to an undecodable form link names the broken parameter or its position', async () => {
    assert.equal((await fetched('/payment/form?merchant=M1&order=%')).field, 'order');
    assert.equal((await fetched('/payment/form?merchant=M1&%=1')).field, 'query');
    assert.equal((await fetched('/payment/form?merchant=M1&nothing=1&nothing=2')).field, 'query');
    const doubled = await fetched('/payment/form?merchant=M1&amount=1&amount=2');
    assert.deepEqual([doubled.field, doubled.problem], ['amount', 'it is given more than once']);
  });
});

describe('the rate limit of form links', () => {
  it('form links are limited by address and merchant, with the merchant’s own setting', async () => {
    stage.addMerchant('BUSY', { settings: { form_rate_limit: '2' } });
    const open = async (merchant = 'BUSY') => fetched(formLink({ merchant }));
    assert.deepEqual([(await open()).status, (await open()).status], [303, 303]);
    const refused = await open();
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30']);
    assert.match(refused.text, /Too many attempts/);
    assert.equal((await open('M1')).status, 303);
    stage.bench.clock.advance(MINUTE_MS / 2);
    assert.equal((await open()).status, 303);
  });
});

describe('the form’s assets', () => {
  it('the form’s assets are immutable for browsers, and compressed if the browser accepts it', async () => {
    const page = await fetched(formLink({ amount: '0' }));
    const [, name = ''] = /href="\/gateway(\/payment\/form\/assets\/form\.[^"]*css)"/.exec(page.text) ?? [];
    const packed = await fetched(name);
    assert.match(packed.headers.get('cache-control') ?? '', /immutable/);
    assert.deepEqual(
      [packed.status, packed.headers.get('content-encoding'), packed.headers.get('referrer-policy')],
      [200, 'gzip', 'no-referrer'],
    );
    const plain = await fetched(name, { headers: { 'accept-encoding': 'gzip;q=0, br' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(plain.text, packed.text);
    assert.equal((await fetched('/payment/form/assets/../../etc/passwd')).status, 404);
    assert.equal((await fetched('/payment/form/assets/form.css')).status, 404);
  });
});

describe('the merchant’s own look of the form', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
  const look = {
    display_name: 'Nova',
    brand_color: '#ffd400',
    logo: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    support_contact: 'help@nova.example',
    terms_url: 'https://nova.example/terms',
  };
  const linked = (text: string, pattern: RegExp) => (pattern.exec(text)?.[1] ?? '').replace('/gateway', '');

  it('the form loads the merchant’s logo and colour only from the gateway', async () => {
    stage.addMerchant('LOOK', { settings: look });
    const opened = await fetched(formLink({ merchant: 'LOOK' }));
    const page = await fetched((opened.headers.get('location') ?? '').replace('/gateway', ''));
    assert.match(page.text, /<p class="merchant-name">Nova<\/p>/);
    assert.match(page.text, /href="mailto:help@nova\.example"/);
    assert.match(page.text, /href="https:\/\/nova\.example\/terms"/);
    const theme = await fetched(linked(page.text, /href="([^"]*\/themes\/[^"]*)"/));
    assert.match(theme.text, /--summary: #ffd400;/);
    const logo = await fetched(linked(page.text, /src="([^"]*\/logos\/[^"]*)"/));
    assert.equal(logo.text, svg);
    assert.equal(logo.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    for (const { headers } of [theme, logo]) {
      assert.match(headers.get('cache-control') ?? '', /immutable/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
    for (const path of ['themes/ffd400.00000000.css', 'logos/LOOK/0000000000000000.svg', 'logos/NOBODY/a.svg'])
      assert.equal((await fetched(`/payment/form/${path}`)).status, 404, path);
  });
});

describe('the form of an overloaded gateway', () => {
  it('an overloaded form shows a page with a retry time', async (t) => {
    const open = async (inFlight: { merchants: number; payers: number }) => {
      const full = await openFormStage({ http: { admission: createHttpAdmission({ inFlight, arriving: 1 }) } });
      t.after(() => full.close());
      full.addMerchant('M1');
      return (path: string) => fetch(full.url + path, { redirect: 'manual' });
    };
    const ofPayers = await open({ merchants: 1, payers: 0 });
    const refused = await ofPayers(formLink());
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.match(refused.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(await refused.text(), /<html/);
    assert.equal((await ofPayers(`/payment/form/${'x'.repeat(43)}/events`)).status, 404);
    const ofMerchants = await open({ merchants: 0, payers: 1 });
    assert.equal((await ofMerchants(formLink())).status, 303);
  });
});
