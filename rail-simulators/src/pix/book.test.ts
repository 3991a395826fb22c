import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '../kernel/inbox-under-test.ts';
import { startPixUnderTest, temporaryFolder, txid } from './pix-under-test.ts';

const other = txid.replace('1001', '1002');

describe('the book of the bank', () => {
  it('has each thing that happened to a charge', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    await pix.control('pay', { txid });
    await eventually('the callback is accepted', async () => (await pix.summary())['callbacks_due'] === 0);
    const { entries } = (await pix.control('book')).body as { entries: { kind: string; seq: number }[] };
    assert.deepEqual(
      entries.map(({ seq, kind }) => [seq, kind]),
      [
        [1, 'charge_created'],
        [2, 'pix_received'],
        [3, 'callback_accepted'],
      ],
    );
  });

  it('says which charges were paid more than once', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    await pix.charge({}, other);
    await pix.control('pay', { txid, behaviour: 'twice' });
    await pix.control('pay', { txid: other });
    const { pix: count, pix_amount, paid_over_once } = await pix.summary();
    assert.deepEqual([count, pix_amount, paid_over_once], [3, '301.50', [txid]]);
  });

  it('survives a restart, and what was due then happens', async (t) => {
    const folder = temporaryFolder(t);
    const options = { bookPath: join(folder, 'pix.jsonl'), certificateFolder: folder };
    const first = await startPixUnderTest(t, options);
    first.inbox.answer = () => ({ status: 503, body: '' });
    await first.charge();
    const paid = (await first.control('pay', { txid })).body['pix'] as [{ endToEndId: string }];
    await first.api('PUT', `/pix/${paid[0].endToEndId}/devolucao/1`, { valor: '1.00' });
    assert.equal((await first.control('reset', {})).status, 409);
    await first.close();

    const again = await startPixUnderTest(t, { ...options, clock: first.clock });
    await eventually('the callback comes again', () => again.inbox.received.length === 1);
    first.clock.advance(2_000);
    await eventually('the refund is settled', async () => (await again.summary())['refunds_settled'] === 1);
    await eventually('the refund is told', () => again.inbox.received.length === 2);
    assert.match(again.inbox.received[1]?.raw ?? '', /"status":"DEVOLVIDO"/);
    assert.equal((await again.api('GET', `/cob/${txid}`)).body['status'], 'CONCLUIDA');
  });
});

describe('the control surface', () => {
  it('is closed without its secret, and not there where it is switched off', async (t) => {
    const pix = await startPixUnderTest(t);
    assert.equal((await pix.page('/control/summary')).status, 401);
    const without = await startPixUnderTest(t, { control: false });
    assert.equal((await without.control('summary')).status, 404);
  });

  it('refuses what it does not know, by its name', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    const field = async (path: string, body: object) => (await pix.control(path, body)).body['field'];
    assert.equal(await field('faults', { charge: 'lose' }), 'charge');
    assert.equal(await field('faults', { payer: 'x' }), 'payer');
    assert.equal(await field('pay', { txid: 'x' }), 'txid');
    assert.equal(await field('pay', { txid, behaviour: 'x' }), 'behaviour');
    assert.equal(await field('pay', { txid, cpf: '12345678900' }), 'cpf');
    assert.equal(await field('pay', { txid, behaviour: 'short', difference: '100.50' }), 'difference');
    assert.equal(await field('take-back', { endToEndId: 'x' }), 'endToEndId');
    assert.equal(await field('take-back', { natureza: 'x' }), 'natureza');
  });

  it('has a payer pay later', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    assert.deepEqual((await pix.control('pay', { txid, behaviour: 'late' })).body, { pix: [] });
    assert.equal((await pix.summary())['pix'], 0);
    pix.clock.advance(10_000);
    await eventually('the payment is made', async () => (await pix.summary())['pix'] === 1);
  });

  it('breaks the API and leaves the payer’s pages alone', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.control('faults', { down: true });
    await assert.rejects(pix.charge());
    assert.equal((await pix.page('/')).status, 200);
    await pix.control('faults', { down: false });
    assert.equal((await pix.charge()).status, 201);
  });
});
