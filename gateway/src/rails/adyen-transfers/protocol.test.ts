import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { readObject } from '../kit/provider-json.ts';
import { meaningOf, queryPath, readPage, readSubmission, readTransfer } from './protocol.ts';

/** The response to a payout to a card, from Adyen's description of the API. */
const DOCUMENTED = {
  id: '48POP561F0ZWWLNW',
  creationDate: '2023-12-28T15:26:06+01:00',
  accountHolder: { id: 'AH00000000000000000000001', description: 'Your description for the account holder' },
  balanceAccount: { id: 'BA00000000000000000000001', description: 'Your description for the balance account' },
  amount: { currency: 'USD', value: 10_000 },
  category: 'card',
  counterparty: {
    card: {
      cardHolder: { type: 'individual', firstName: 'Albert', lastName: 'Klaassen' },
      cardIdentification: { number: '432112******8765' },
    },
  },
  direction: 'outgoing',
  reason: 'approved',
  reference: 'Your internal reference',
  description: 'Your description',
  status: 'authorised',
  type: 'cardTransfer',
};

const order: PayoutOrder = {
  reference: DOCUMENTED.reference,
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 8,
  money: { currency: 'USD', minor: 10_000n },
  beneficiary: {},
  sendUntil: 0,
  delayed: false,
};

const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const transferOf = (change: object) =>
  readTransfer(readObject(bytes({ ...DOCUMENTED, ...change }))) ?? assert.fail('no transfer');
const booked = { events: [{ status: 'received' }, { status: 'authorised' }, { status: 'booked' }] };

describe('an Adyen transfer', () => {
  it('an Adyen transfer is read with every field that affects its outcome', () => {
    assert.deepEqual(transferOf({}), {
      id: '48POP561F0ZWWLNW',
      reference: 'Your internal reference',
      description: 'Your description',
      money: { currency: 'USD', minor: 10_000n },
      createdAt: Date.UTC(2023, 11, 28, 14, 26, 6),
      status: 'authorised',
      state: 'waiting',
      reason: 'approved',
      wasBooked: false,
    });
    assert.equal(transferOf(booked).wasBooked, true);
  });

  it('the gateway ignores an Adyen transfer without an id or a readable amount', () => {
    const without = [
      { id: '' },
      { id: 'a b' },
      { amount: undefined },
      { amount: { currency: 'USD', value: '1.5' } },
      { amount: { currency: 'USD', value: -1 } },
      { amount: { currency: 'XXX', value: 1 } },
    ];
    for (const change of without) {
      assert.equal(readTransfer(readObject(bytes({ ...DOCUMENTED, ...change }))), undefined, JSON.stringify(change));
    }
  });

  const meanings: readonly (readonly [change: object, meaning: string])[] = [
    [{ status: 'received', reason: 'pending' }, 'pending'],
    [{ status: 'authorised' }, 'pending'],
    [{ status: 'pendingApproval' }, 'pending'],
    [{ status: 'booked' }, 'executed'],
    [{ status: 'credited' }, 'executed'],
    [{ status: 'refused', reason: 'amountLimitExceeded' }, 'declined limit_or_risk'],
    [{ status: 'refused', reason: 'invalidCard' }, 'declined invalid_beneficiary'],
    [{ status: 'refused', reason: 'doNotHonor' }, 'declined bank_declined'],
    [{ status: 'refused', reason: 'approvalExpired' }, 'declined expired'],
    [{ status: 'refused', reason: 'mercuryInRetrograde' }, 'declined unspecified'],
    [{ status: 'refused', reason: 'notEnoughBalance' }, 'unfunded'],
    [{ status: 'refused', reason: 'accountHierarchyNotActive' }, 'unfunded'],
    [{ status: 'refused', ...booked }, 'unknown'],
    [{ status: 'failed', reason: 'counterpartyAccountClosed' }, 'declined invalid_beneficiary'],
    [{ status: 'failed', reason: 'counterpartyBankTimedOut' }, 'declined unspecified'],
    [{ status: 'failed', ...booked }, 'reversed'],
    [{ status: 'returned', ...booked }, 'reversed'],
    [{ status: 'returned' }, 'reversed'],
    [{ status: 'cancelled' }, 'stopped'],
    [{ status: 'error', reason: 'internalTimeout' }, 'stopped'],
    [{ status: 'error', ...booked }, 'unknown'],
    [{ status: 'undefined' }, 'unknown'],
    [{ status: 'Booked' }, 'unknown'],
    [{ status: 'refunded' }, 'unknown'],
    [{ status: '' }, 'unknown'],
    [{ status: undefined }, 'unknown'],
    [{ status: '__proto__' }, 'unknown'],
  ];
  for (const [change, meaning] of meanings) {
    it(`an Adyen transfer with ${JSON.stringify(change)} means ${meaning}`, () => {
      const read = meaningOf(transferOf(change));
      assert.equal(read.kind === 'declined' ? `declined ${read.blockedReason}` : read.kind, meaning);
    });
  }

  it('the reason of an Adyen transfer contains only codes of Adyen', () => {
    const read = meaningOf(transferOf({ status: 'refused', reason: 'card 4111111111111111 is stolen' }));
    assert.deepEqual(read, { kind: 'declined', blockedReason: 'unspecified', reason: 'Adyen reports refused' });
  });
});

describe('Adyen’s response to a transfer request', () => {
  const read = (status: number, body: unknown, asked = order) => readSubmission(status, bytes(body), asked);

  it('an Adyen response about a transfer is read if it matches the request', () => {
    assert.deepEqual(read(202, DOCUMENTED), { kind: 'accepted', transfer: transferOf({}) });
  });

  const others: readonly (readonly [status: number, body: unknown])[] = [
    [202, ''],
    [202, []],
    [202, { ...DOCUMENTED, reference: 'another' }],
    [202, { ...DOCUMENTED, amount: { currency: 'USD', value: 10_001 } }],
    [202, { ...DOCUMENTED, amount: { currency: 'EUR', value: 10_000 } }],
    [202, { ...DOCUMENTED, direction: 'incoming' }],
    [202, { ...DOCUMENTED, category: 'bank' }],
    [200, DOCUMENTED],
    [401, ''],
    [401, { error: 'a proxy’s' }],
    [403, '<html>'],
    [404, { status: 404 }],
    [422, { status: 422, errorCode: '704' }],
    [422, { status: 422, invalidFields: [] }],
    [422, { status: 422, invalidFields: [{ name: '4111111111111111' }] }],
    [429, { status: 429 }],
    [500, { status: 500, errorCode: '000' }],
  ];
  for (const [status, body] of others) {
    it(`the HTTP ${status} response ${JSON.stringify(body).slice(0, 60)} from Adyen leaves the outcome of the payout unknown`, () => {
      assert.equal(read(status, body).kind, 'unknown');
    });
  }

  it('a credential that Adyen itself refuses proves that Adyen accepted nothing', () => {
    const unauthorized = { status: 401, errorCode: '000', message: 'Unauthorized', errorType: 'security' };
    const forbidden = {
      type: 'https://docs.adyen.com/errors/forbidden',
      title: '',
      status: 403,
      detail: '',
      errorCode: '',
    };
    for (const [status, body] of [[401, unauthorized] as const, [403, forbidden] as const]) {
      assert.deepEqual(read(status, body), {
        kind: 'not_accepted',
        reason: `Adyen refuses our credential (HTTP ${status}): check its API key and roles`,
      });
    }
  });

  const invalid = (...names: string[]) => ({
    status: 422,
    errorCode: '29_000',
    invalidFields: names.map((name) => ({ name, message: '' })),
  });

  it('an Adyen error about the recipient’s fields declines the payout', () => {
    for (const name of ['counterparty.card.cardIdentification.number', 'counterparty.card.cardHolder.firstName']) {
      assert.deepEqual(read(422, invalid(name)), {
        kind: 'declined',
        blockedReason: 'invalid_beneficiary',
        reason: `Adyen refuses ${name}`,
      });
    }
  });

  it('an error about a field that we did not send proves that Adyen accepted nothing', () => {
    for (const name of ['balanceAccountId', 'amount.currency', 'counterparty.card.cardHolder.address.city']) {
      assert.deepEqual(read(422, invalid(name)), { kind: 'not_accepted', reason: `Adyen refuses ${name}` });
    }
    const both = invalid('counterparty.card.cardHolder.lastName', 'amount.value');
    assert.deepEqual(read(422, both), { kind: 'not_accepted', reason: 'Adyen refuses amount.value' });
  });

  it('an Adyen error about the merchant’s address declines the payout', () => {
    const field = 'counterparty.card.cardHolder.address.city';
    const asked = { ...order, beneficiary: { customs_address: 'Lange Straße 7' } };
    assert.deepEqual(read(422, invalid(field), asked), {
      kind: 'declined',
      blockedReason: 'invalid_beneficiary',
      reason: `Adyen refuses ${field}`,
    });
  });
});

describe('Adyen’s list of transfers', () => {
  it('Adyen’s list is queried by account, period and reference', () => {
    const query = { balanceAccount: 'BA1', since: 0, until: 86_400_000, reference: '7-AbCd1234' };
    assert.equal(
      queryPath({ ...query, cursor: 'a/b' }),
      '/transfers?balanceAccountId=BA1&createdSince=1970-01-01T00%3A00%3A00.000Z' +
        '&createdUntil=1970-01-02T00%3A00%3A00.000Z&sortOrder=desc&limit=100&reference=7-AbCd1234&cursor=a%2Fb',
    );
  });

  it('the page of Adyen’s list contains payouts to cards only, and the cursor of the next page', () => {
    const data = [DOCUMENTED, { ...DOCUMENTED, direction: 'incoming' }, { ...DOCUMENTED, category: 'bank' }, 'x'];
    const next = { href: 'https://elsewhere.example/transfers?limit=100&cursor=S2B-%7B' };
    assert.deepEqual(readPage(200, bytes({ data, _links: { next } })), {
      kind: 'page',
      payouts: [transferOf({}), undefined],
      nextCursor: 'S2B-{',
    });
    assert.deepEqual(readPage(200, bytes({ data: [], _links: {} })), { kind: 'page', payouts: [], nextCursor: null });
    assert.deepEqual(readPage(200, bytes({ data: [] })), { kind: 'page', payouts: [], nextCursor: null });
  });

  const ONE_UNREADABLE = { kind: 'page', payouts: [undefined], nextCursor: null } as const;

  it('a transfer in Adyen’s list without category or direction is unreadable', () => {
    for (const change of [{ category: undefined }, { category: null }, { direction: 0 }, { direction: 'out-going' }])
      assert.deepEqual(readPage(200, bytes({ data: [{ ...DOCUMENTED, ...change }] })), ONE_UNREADABLE);
  });

  it('an Adyen response without a list is unknown', () => {
    const none: readonly (readonly [status: number, body: unknown])[] = [
      [200, ''],
      [200, []],
      [200, {}],
      [200, { data: {} }],
      [202, { data: [] }],
      [404, { data: [] }],
      [500, ''],
    ];
    for (const [status, body] of none) assert.equal(readPage(status, bytes(body)).kind, 'unknown');
    assert.deepEqual(readPage(401, bytes({ status: 401 })), {
      kind: 'unknown',
      reason: 'Adyen refuses our credential (HTTP 401)',
    });
  });
});
