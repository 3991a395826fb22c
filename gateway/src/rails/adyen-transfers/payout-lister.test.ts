import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoutLister } from '../../domain/payouts/payout-lister.ts';
import type { TransfersApi } from './api.ts';
import { createAdyenTransfersPayoutLister } from './payout-lister.ts';
import { type Page, readTransfer } from './protocol.ts';

const DAY = '2026-11-20';

function transferOf(id: string, status: string, change: object = {}) {
  const amount = { currency: 'EUR', value: '1000' };
  const own = { id, status, amount, reference: `${id}-AbCd1234`, creationDate: `${DAY}T23:59:59Z`, ...change };
  return readTransfer(own as never);
}

interface Listing {
  readonly lister: PayoutLister;
  readonly asked: unknown[];
}

/** Returns these pages of Adyen one after the other. */
function listing(...pages: readonly Page[]): Listing {
  const asked: unknown[] = [];
  const api: TransfersApi = {
    submit: () => assert.fail('a list sends nothing'),
    async list(query) {
      asked.push(query);
      return pages[asked.length - 1] ?? assert.fail('one page too many');
    },
  };
  return { lister: createAdyenTransfersPayoutLister(api), asked };
}

const page = (nextCursor: string | null, ...payouts: ReturnType<typeof transferOf>[]): Page => ({
  kind: 'page',
  payouts,
  nextCursor,
});
const listOf = ({ lister }: Listing) => lister.payoutsOf(DAY, new AbortController().signal);

describe('Adyen’s list of a day’s payouts', () => {
  it('the Adyen list reads all pages between the day’s first moment and the next day’s', async () => {
    const own = listing(page('a', transferOf('T1', 'booked')), page(null, transferOf('T2', 'booked')));
    assert.deepEqual(
      (await listOf(own)).payouts.map(({ reference }) => reference),
      ['T1-AbCd1234', 'T2-AbCd1234'],
    );
    const span = { since: Date.UTC(2026, 10, 20), until: Date.UTC(2026, 10, 21) };
    assert.deepEqual(own.asked, [span, { ...span, cursor: 'a' }]);
    assert.equal(own.lister.dayOf(Date.UTC(2026, 10, 20, 23, 59, 59, 999)), DAY);
  });

  it('the Adyen list contains each payout’s state, without refusals for a short balance', async () => {
    const statuses = ['authorised', 'booked', 'refused', 'failed', 'returned', 'cancelled'];
    const unfunded = transferOf('T9', 'refused', { reason: 'notEnoughBalance' });
    const own = listing(page(null, ...statuses.map((status, at) => transferOf(`T${at}`, status)), unfunded));
    const { payouts, unreadable } = await listOf(own);
    const states = ['pending', 'executed', 'declined', 'declined', 'reversed', 'declined'];
    assert.deepEqual(
      payouts.map(({ state }) => state),
      states,
    );
    assert.deepEqual(unreadable, []);
    assert.deepEqual(payouts[1], {
      reference: 'T1-AbCd1234',
      providerId: 'T1',
      money: { currency: 'EUR', minor: 1_000n },
      state: 'executed',
      remittance: '',
    });
  });

  it('the Adyen list contains each payout with its remittance text', async () => {
    const description = 'M1/A+17';
    const { payouts } = await listOf(listing(page(null, transferOf('T1', 'booked', { description }))));
    assert.equal(payouts[0]?.remittance, 'M1/A_17');
  });

  it('the Adyen list includes payouts without our reference, and lists unreadable payouts separately', async () => {
    const foreign = transferOf('T1', 'booked', { reference: undefined });
    const own = listing(page(null, foreign, undefined, transferOf('T2', 'onHold'), transferOf('T3', '4111 1111')));
    assert.deepEqual(await listOf(own), {
      payouts: [
        {
          reference: null,
          providerId: 'T1',
          money: { currency: 'EUR', minor: 1_000n },
          state: 'executed',
          remittance: '',
        },
      ],
      unreadable: ['an unreadable transfer', 'T2 is onHold', 'T3 is in an unreadable state'],
    });
  });

  it('the Adyen list omits payouts of another day', async () => {
    const next = transferOf('T1', 'booked', { creationDate: '2026-11-21T00:00:00Z' });
    assert.deepEqual(await listOf(listing(page(null, next))), { payouts: [], unreadable: [] });
  });

  it('an Adyen list with a missing page is rejected as incomplete', async () => {
    const incomplete = [
      listing({ kind: 'unknown', reason: 'HTTP 500' }),
      listing(page('a', transferOf('T1', 'booked')), { kind: 'unknown', reason: 'no response in time' }),
      listing(page('')),
      listing(page('a'), page('a')),
    ];
    for (const own of incomplete) await assert.rejects(listOf(own), /^ListIncomplete/);
  });
});
