import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../../api/client.ts';
import { ageOf, inboxOf, inOrder, moneyOf } from './inbox.ts';

const NOW = new Date('2026-11-23T12:00:00.000Z');

const overdue = (payoutId: string, amount: string, overdueSince: string) =>
  ({
    merchantId: 'M1',
    payoutId,
    amount,
    currency: 'EUR',
    rail: 'a',
    stage: 'unknown',
    note: '',
    overdueSince,
  }) as Answer<'payouts.overdue'>['items'][number];

const undelivered = (merchantId: string, createdAt: string) =>
  ({ merchantId, callbackId: createdAt, subject: 'payout', createdAt }) as Answer<'callbacks.list'>['items'][number];

describe('the operator’s inbox', () => {
  it('the inbox sorts items by age group, then by amount', () => {
    const items = inboxOf({
      payouts: {
        items: [
          overdue('small', '9.00', '2026-11-20T12:00:00.000Z'),
          overdue('new', '999.00', '2026-11-23T11:30:00.000Z'),
          overdue('large', '10.00', '2026-11-22T11:00:00.000Z'),
        ],
      },
    });
    assert.deepEqual(
      inOrder(items, NOW).map(({ subject }) => subject),
      ['M1 / large', 'M1 / small', 'M1 / new'],
    );
    assert.deepEqual(moneyOf(items), [{ currency: 'EUR', amount: '1018.00' }]);
  });

  it('the inbox shows a payout with a broken seal as a separate kind, waiting since its acceptance', () => {
    const acceptedAt = '2026-11-23T11:50:00.000Z';
    const changed = { ...overdue('changed', '9.00', '2026-11-28T12:00:00.000Z'), isSealBroken: true, acceptedAt };
    const [item] = inboxOf({ payouts: { items: [changed] } });
    assert.deepEqual([item?.kind, item?.since], ['changed', acceptedAt]);
  });

  it('the inbox shows an action that waits for a second person with its maker and its reason', () => {
    const proposal = { proposalId: 'p1', act: 'funds.credit', reason: 'prefunding', createdAt: NOW.toISOString() };
    const maker = { kind: 'token', id: 't', name: 'importer' };
    const [item] = inboxOf({ proposals: { items: [{ ...proposal, maker } as never], next: null } });
    assert.deepEqual([item?.kind, item?.subject, item?.detail], ['proposal', 'Add money', 'importer · prefunding']);
  });

  it('the inbox shows the amount of an action that moves money', () => {
    const request = { body: { amount: '5000.00', currency: 'EUR' } };
    const proposal = { proposalId: 'p1', act: 'funds.credit', reason: '', maker: { name: '' }, request };
    const [item] = inboxOf({ proposals: { items: [proposal as never], next: null } });
    assert.deepEqual(item?.money, { amount: '5000.00', currency: 'EUR' });
  });

  it('the inbox shows a pause with its scope and its reason', () => {
    const pause = { scope: 'merchant', target: 'M1', reason: 'papers', since: '2026-11-22T08:00:00.000Z' } as const;
    const [item] = inboxOf({ pauses: { items: [pause] } });
    assert.deepEqual([item?.kind, item?.subject, item?.detail], ['pause', 'Merchant M1', 'papers']);
    assert.equal(item && ageOf(item, NOW), 'older');
  });

  it('the inbox shows the paused callbacks of a merchant with the number of failures, since the oldest attempt', () => {
    const lane = { merchantId: 'M1', failures: 9, since: '2026-11-23T08:00:00.000Z', nextAt: null, callbackId: 'c' };
    const [item] = inboxOf({ failing: { items: [lane] } });
    assert.deepEqual([item?.kind, item?.subject, item?.detail], ['lane', 'M1', '9 failed attempts in a row']);
    assert.equal(item && ageOf(item, NOW), 'day');
  });

  it('the inbox shows the undelivered callbacks of a merchant as one item, waiting since the oldest', () => {
    const items = [
      undelivered('M1', '2026-11-23T11:00:00.000Z'),
      undelivered('M2', '2026-11-23T11:59:00.000Z'),
      undelivered('M1', '2026-11-21T11:00:00.000Z'),
    ];
    const inbox = inboxOf({ undelivered: { items, next: null } });
    assert.deepEqual(
      inbox.map((item) => [item.subject, item.detail, ageOf(item, NOW)]),
      [
        ['M1', '2 × payout', 'older'],
        ['M2', '1 × payout', 'hour'],
      ],
    );
  });
});
