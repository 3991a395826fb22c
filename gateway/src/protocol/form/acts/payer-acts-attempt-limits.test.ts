import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import type { MerchantChange } from '../../../../test/support/merchants/merchant-named.ts';
import { WIRE_FORM_KEY } from '../../../../test/support/merchants/wire-merchants.ts';
import { signOver } from '../../../../test/support/payouts/payout-request.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';

const STEP: PaymentAnswer = {
  kind: 'step',
  step: { kind: 'elsewhere', at: 'bank_message' },
  keep: '',
  providerReference: 'P1',
};

type Link = Readonly<Record<string, string>>;

const E_TRANSFER: Link = {
  payment_type: 'e_transfer',
  currency: 'CAD',
  country: 'CA',
  first_name: 'Ann',
  email: 'victim@example.com',
  phone: '14165550123',
};
const PIX: Link = {
  payment_type: 'instant_bank',
  currency: 'BRL',
  country: 'BR',
  cpf: '52998224725',
  first_name: 'Ana',
  last_name: 'Souza',
};
const FRAME: Link = { payment_type: 'bank_transfer_iframe', first_name: 'Ann', email: 'victim@example.com' };
const OPEN_BANKING: Link = { payment_type: 'open_banking', bank_id: 'aareal' };

let stage: FormStage;
let orders = 0;

before(async () => {
  stage = await openFormStage();
});
beforeEach(() => {
  stage.script.length = 0;
  stage.calls.length = 0;
  stage.limitedAttempts.length = 0;
});
after(async () => {
  assert.deepEqual(stage.internalErrors, []);
  await stage.close();
});

function merchant(merchantId: string, settings: MerchantChange['settings'] = {}): string {
  stage.addMerchant(merchantId, { settings });
  return merchantId;
}

/** Opens a form for a new order and presses "pay". Returns the status of the next page. */
async function submit(link: Link, isSigned = false): Promise<number> {
  const order = `L${++orders}`;
  const { merchant: of = '', currency = 'EUR' } = link;
  const sign = signOver({ merchant: of, order, amount: '12.50', currency }, 'all', WIRE_FORM_KEY);
  stage.script.push(STEP);
  const payer = stage.payer();
  const page = await payer.open(formLink({ order, ...link, ...(isSigned ? { sign } : {}) }));
  return (await payer.press(page, 'pay')).status;
}

async function statuses(times: number, linkOf: (index: number) => Link, isSigned?: boolean): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < times; index++) all.push(await submit(linkOf(index), isSigned));
  return all;
}

const contacts = () => stage.calls.filter(({ call }) => call === 'start').length;

describe('the attempt limit by target', () => {
  it('the target limit admits five of 25 concurrent e-transfer requests to one mailbox, in any spelling', async () => {
    const of = merchant('MAIL', { target_attempt_limit: '5' });
    const emails = ['victim@gmail.com', 'Victim@Gmail.com', 'victim+win@gmail.com', 'v.ictim@googlemail.com'];
    const all = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        submit({ ...E_TRANSFER, merchant: of, email: emails[index % emails.length] ?? '' }),
      ),
    );
    assert.equal(all.filter((status) => status === 429).length, 20);
    assert.equal(contacts(), 5);
    assert.equal(await submit({ ...E_TRANSFER, merchant: of, email: 'another@example.com' }), 200);
  });

  for (const [name, link, other] of [
    ['CPF', PIX, { cpf: '11144477735' }],
    ['email address of the bank-transfer iframe', FRAME, { email: 'another@example.com' }],
  ] as const) {
    it(`the target limit counts attempts by the ${name}, on signed forms as well`, async () => {
      const of = merchant(`T-${link['payment_type']}`, { target_attempt_limit: '2' });
      assert.deepEqual(await statuses(3, () => ({ ...link, merchant: of }), true), [200, 200, 429]);
      assert.equal(contacts(), 2);
      assert.equal(await submit({ ...link, ...other, merchant: of }), 200);
      assert.deepEqual(stage.limitedAttempts, [`${of} target`]);
    });
  }
});

describe('the attempt limit by address', () => {
  it('the address limit counts attempts of every payment type together', async () => {
    const of = merchant('ADDRESS', { address_attempt_limit: '3' });
    const links = [PIX, E_TRANSFER, OPEN_BANKING, OPEN_BANKING, FRAME];
    const all = await statuses(5, (index) => ({ ...links[index], merchant: of }));
    assert.deepEqual(all, [200, 200, 200, 429, 429]);
    assert.deepEqual(stage.limitedAttempts, Array(2).fill(`${of} address`));
  });
});

describe('the limit of returns', () => {
  it('the return limit bounds calls to the provider, and still shows payers their page', async () => {
    const of = merchant('RETURNS', { form_rate_limit: '3' });
    const leave: PaymentAnswer = { ...STEP, step: { kind: 'redirect', url: 'https://bank.example/' } };
    stage.script.push(...Array(10).fill(leave));
    const payer = stage.payer();
    await payer.press(await payer.open(formLink({ order: `L${++orders}`, ...OPEN_BANKING, merchant: of })), 'pay');
    const { pathname } = new URL(stage.calls[0]?.order.returnUrl ?? '');
    for (let index = 0; index < 6; index++)
      assert.equal((await payer.open(pathname, { 'sec-fetch-dest': 'document' })).status, 200);
    assert.equal(stage.calls.filter(({ call }) => call === 'handle_return').length, 3);
    stage.bench.clock.advance(60_000);
    await payer.open(pathname, { 'sec-fetch-dest': 'document' });
    assert.equal(stage.calls.filter(({ call }) => call === 'handle_return').length, 4);
  });
});

describe('the attempt limit by merchant', () => {
  it('the merchant’s attempt limit counts unsigned forms only, and never rejects a signed form', async () => {
    const of = merchant('WHOLE', { merchant_attempt_limit: '2' });
    assert.deepEqual(await statuses(3, () => ({ ...OPEN_BANKING, merchant: of })), [200, 200, 429]);
    assert.deepEqual(stage.limitedAttempts, [`${of} merchant`]);
    assert.deepEqual(await statuses(3, () => ({ ...OPEN_BANKING, merchant: of }), true), [200, 200, 200]);
  });
});
