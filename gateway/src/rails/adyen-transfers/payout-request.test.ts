import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { remittanceIn, writeTransfer } from './payout-request.ts';

const BALANCE_ACCOUNT = 'BA00000000000000000000001';

function orderOf(beneficiary: Readonly<Record<string, string>>, change: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    reference: '7-AbCd1234',
    remittance: 'M1/A17',
    purpose: 'payout',
    method: 93,
    money: { currency: 'EUR', minor: 1_000n },
    beneficiary: { account: new Secret('4321123456788765'), full_name: 'Albert Klaassen', ...beneficiary },
    sendUntil: 0,
    delayed: false,
    ...change,
  };
}

function written(beneficiary: Readonly<Record<string, string>> = {}, change: Partial<PayoutOrder> = {}) {
  const body = writeTransfer(orderOf(beneficiary, change), BALANCE_ACCOUNT);
  assert.ok(body.ok, JSON.stringify(body));
  return JSON.parse(body.value);
}

const cardHolderOf = (beneficiary: Readonly<Record<string, string>>) =>
  written(beneficiary).counterparty.card.cardHolder;

const HOME = {
  customs_address: '274 Brannan St',
  customs_city: 'San Francisco',
  customs_state: 'CA',
  customs_post_code: '94107',
  customs_country: 'US',
};

describe('the transfer request of a payout', () => {
  it('a transfer request equals Adyen’s own example', () => {
    const order = { reference: 'Your-reference', money: { currency: 'USD', minor: 10_000n } } as const;
    assert.deepEqual(written({ ...HOME, exp_date: '03/30' }, order), {
      amount: { value: 10_000, currency: 'USD' },
      balanceAccountId: BALANCE_ACCOUNT,
      category: 'card',
      counterparty: {
        card: {
          cardHolder: {
            type: 'individual',
            firstName: 'Albert',
            lastName: 'Klaassen',
            address: {
              city: 'San Francisco',
              country: 'US',
              line1: '274',
              line2: 'Brannan St',
              postalCode: '94107',
              stateOrProvince: 'CA',
            },
          },
          cardIdentification: { number: '4321123456788765', expiryMonth: '03', expiryYear: '2030' },
        },
      },
      reference: 'Your-reference',
      description: 'M1/A17',
    });
  });

  it('the description of an Adyen transfer identifies merchant and payout, in characters that Adyen accepts', () => {
    const longest = `${'m_'.repeat(32)}/${'A.-_'.repeat(16)}`;
    for (const remittance of ['M1/A17', 'M_1/A_17.-', longest]) {
      const { description } = written({}, { remittance });
      assert.match(description, /^[A-Za-z0-9/?:().,'+ -]{1,140}$/);
      assert.equal(remittanceIn(description), remittance);
    }
  });

  it('an Adyen transfer request omits an unknown address, birthday and expiry of the recipient', () => {
    assert.deepEqual(written().counterparty.card, {
      cardHolder: { type: 'individual', firstName: 'Albert', lastName: 'Klaassen' },
      cardIdentification: { number: '4321123456788765' },
    });
  });

  it('an Adyen transfer request writes the recipient’s name in the letters that Adyen accepts', () => {
    const names: readonly (readonly [name: string, first: string, last: string])[] = [
      ['Greta Weiß', 'Greta', 'Weiss'],
      ["Anne-Marie O'Neil", 'Anne-Marie', 'ONeil'],
      ['José María Núñez', 'Jose Maria', 'Nunez'],
      ['Łukasz Żółć', 'Lukasz', 'Zolc'],
      ['Sokrates', 'Sokrates', 'Sokrates'],
      ['J. R. Smith Jr.', 'J. R. Smith', 'Jr.'],
    ];
    for (const [name, firstName, lastName] of names) {
      const { type, ...holder } = cardHolderOf({ full_name: name });
      assert.deepEqual([type, holder], ['individual', { firstName, lastName }], name);
    }
  });

  it('an Adyen payout without a name, or with a name that Adyen’s letters cannot spell, is declined', () => {
    for (const name of ['', 'Айгуль Сапарова', 'Ivan Шевченко', '李雷']) {
      assert.deepEqual(writeTransfer(orderOf({ full_name: name }), BALANCE_ACCOUNT), {
        ok: false,
        error: {
          kind: 'declined',
          blockedReason: 'invalid_beneficiary',
          reason: 'Adyen needs full_name in Latin letters',
        },
      });
    }
  });

  it('an Adyen transfer request contains a complete address or none', () => {
    const addresses: readonly (readonly [change: Readonly<Record<string, string>>, lines: unknown])[] = [
      [{ customs_address: 'Lange Straße 7', customs_country: 'de', customs_state: 'Hessen' }, ['7', 'Lange Strasse']],
      [{ customs_address: 'Unter den Linden', customs_country: 'DE' }, ['Unter den Linden', 'Unter den Linden']],
      [{ customs_address: '274', customs_country: 'DE' }, ['274', '274']],
      [{ customs_post_code: '94107-1234' }, ['274', 'Brannan St']],
      [{ customs_city: 'Au', customs_country: 'DE' }, undefined],
      [{ customs_address: 'вулиця Хрещатик 1', customs_country: 'UA' }, undefined],
      [{ customs_state: 'California' }, undefined],
      [{ customs_post_code: 'none' }, undefined],
      [{ customs_state: 'Ontario', customs_country: 'CA' }, undefined],
      [{ customs_address: '' }, undefined],
    ];
    for (const [change, lines] of addresses) {
      const { address } = cardHolderOf({ ...HOME, ...change });
      assert.deepEqual(address && [address.line1, address.line2], lines, JSON.stringify(change));
      if (address) assert.ok(address.postalCode === '94107' || address.country !== 'US');
    }
    assert.equal(
      cardHolderOf({ ...HOME, customs_country: 'DE', customs_state: 'Hessen' }).address.stateOrProvince,
      undefined,
    );
  });

  it('an Adyen transfer request contains the email address, and the date of birth in Adyen’s order', () => {
    const holder = cardHolderOf({ customs_birthday: '29-02-1988', customs_email: 'greta@example.com' });
    assert.deepEqual([holder.dateOfBirth, holder.email], ['1988-02-29', 'greta@example.com']);
  });
});
