/** Reads the list of banks from the simulator page by page, and from invalid responses. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { readBankPage } from './banks.ts';
import { createTokenIoPaymentRail } from './payment-rail.ts';
import { openTokenIoUnderTest, type TokenIoUnderTest } from './rail-under-test.ts';

describe('Token.io’s bank list', () => {
  let bench: TokenIoUnderTest;

  before(async () => {
    bench = await openTokenIoUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  it('the Token.io bank list contains every bank with our kind of transfer, once for each of its countries', async () => {
    const listed = await bench.rail.listBanks?.(noDeadline());
    assert.ok(listed?.ok);
    const banks = listed.value;
    const ids = new Set(banks.map(({ bankId }) => bankId));
    assert.ok(ids.size > 200, String(ids.size));
    assert.equal(new Set(banks.map(({ bankId, country }) => `${bankId} ${country}`)).size, banks.length);
    const nordlys = banks.filter(({ bankId }) => bankId === 'nordlys');
    assert.deepEqual(
      nordlys.map(({ country }) => country),
      ['EE', 'FI', 'LT', 'LV'],
    );
    assert.deepEqual(nordlys[1], { bankId: 'nordlys', name: 'Nordlys Bank', country: 'FI', bic: 'NRDLFIH1XXX' });
    assert.equal(banks.find(({ bankId }) => bankId === 'pocket-euro')?.bic, '');
    assert.ok(banks.some(({ name }) => name === 'Τράπεζα του Λιμανιού Αθήνα'));
    for (const unable of ['data-only', 'slow-sepa']) assert.ok(!ids.has(unable), unable);
    const slow = bench.connect({ localInstrument: 'SEPA' });
    const all = await slow.rail.listBanks?.(noDeadline());
    assert.ok(all?.ok && all.value.some(({ bankId }) => bankId === 'slow-sepa'));
    await slow.close();
  });

  it('a Token.io bank list with a failed page is an error, never a partial list', async () => {
    await bench.control('faults', { answer_500: 1 });
    assert.deepEqual(await bench.rail.listBanks?.(noDeadline()), { ok: false, error: 'HTTP 500' });
    const nobody = bench.connect({ url: 'http://127.0.0.1:1' });
    assert.deepEqual(await nobody.rail.listBanks?.(noDeadline()), { ok: false, error: 'no connection: ECONNREFUSED' });
    await nobody.close();
  });

  const bank = (number: number) => ({ id: `b-${number}`, name: `Bank ${number}`, countries: ['DE'] });
  /** Runs the rail against pages that `page` builds by their number. */
  async function listFrom(page: (number: number) => object) {
    let asked = 0;
    const http = {
      exchange: async ({ path }: { readonly path: string }) => {
        asked += 1;
        const number = Number(new URL(path, 'http://x').searchParams.get('page'));
        return { kind: 'answered', status: 200, body: Buffer.from(JSON.stringify(page(number))) } as const;
      },
    };
    const clock = { now: () => bench.clock.now(), sleep: async () => {} };
    const parts = { http, hooks: { onCredentialRefused: () => {} }, clock };
    const listed = await createTokenIoPaymentRail(bench.configuration, parts).listBanks?.(noDeadline());
    return { asked, listed };
  }

  it('the Token.io bank list ends at a page without new banks, whatever the total count', async () => {
    const same = await listFrom(() => ({ banks: [bank(1)], paging: { totalCount: 500 } }));
    assert.deepEqual([same.asked, same.listed?.ok && same.listed.value.length], [2, 1]);
    const empty = await listFrom(() => ({ banks: [], paging: { totalCount: 500 } }));
    assert.deepEqual([empty.asked, empty.listed], [1, { ok: true, value: [] }]);
  });

  it('a Token.io bank list of more than 50 pages is an error', async () => {
    const { asked, listed } = await listFrom((page) => ({ banks: [bank(page)], paging: { totalCount: 1e6 } }));
    assert.deepEqual([asked, listed], [50, { ok: false, error: 'more than 50 pages of banks' }]);
  });

  it('the Token.io bank list omits entries that cannot be banks', () => {
    const odd = [
      { id: 'a b', name: 'X', countries: ['DE'] },
      { id: 'ok-1', name: '', countries: ['DE'] },
      { id: 'ok-2', name: 'X', countries: ['Germany'] },
      { id: 'ok-3', name: 'X' },
      null,
      'x',
      { id: 'ok-4', name: 'Line\u0000break', countries: ['DE', 'DE', 7], bic: 'short' },
    ];
    const page = readBankPage(Buffer.from(JSON.stringify({ banks: odd })));
    const rows = [{ bankId: 'ok-4', name: 'Line break', country: 'DE', bic: '' }];
    assert.deepEqual(page, { banks: [{ bankId: 'ok-4', rows }], totalCount: 0 });
    for (const none of ['', '[]', '{}', '{"banks":{}}']) assert.equal(readBankPage(Buffer.from(none)), undefined, none);
  });
});
