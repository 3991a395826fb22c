/** Feeds made-up responses to the rail: a response about another order, or an unreadable one, does not prove anything. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import type { Rails } from '../registry.ts';
import { openStpUnderTest, STP_CLIENT, type StpUnderTest } from './rail-under-test.ts';
import { trackingKeyOf } from './reference.ts';

describe('unusable responses about an STP order', () => {
  let answer = (_body: Record<string, unknown>): { status: number; body: string } => ({ status: 200, body: '' });
  let asked: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (request.method === 'POST') asked.push(body.fechaOperacion);
    const { status, body: text } = answer(body);
    response.writeHead(status).end(text);
  });
  let bench: StpUnderTest;
  let rail: PayoutRail;
  let rails: Rails;

  before(async () => {
    bench = await openStpUnderTest();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ rail, rails } = bench.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  beforeEach(() => {
    asked = [];
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rails.close();
    await bench.close();
  });

  const NONE = { status: 400, body: '{"estado":6,"mensaje":"No se encontraron datos relacionados","total":0}' };
  const row = (sent: PayoutOrder, change: object = {}) => ({
    idEF: 1,
    claveRastreo: trackingKeyOf(sent.reference),
    fechaOperacion: 20261120,
    estado: 'LQ',
    monto: 100.5,
    institucionContraparte: 40012,
    cuentaBeneficiario: '012180015000000000',
    ...change,
  });
  const found = (transfer: object) => ({ status: 200, body: JSON.stringify({ estado: 0, respuesta: transfer }) });

  it('an STP order is queried without a date first, then by every date since an hour before its sending', async () => {
    answer = () => NONE;
    const sendUntil = Date.UTC(2026, 10, 21, 0, 20);
    bench.clock.advance(Date.UTC(2027, 0, 15, 18) - bench.clock.now());
    const longAgo = bench.order({ sendUntil: bench.clock.now() - 4 * DAY_MS });
    assert.deepEqual(await rail.ask(longAgo, noDeadline()), { kind: 'not_found' });
    assert.deepEqual(asked, [undefined, '20270111', '20270112', '20270113', '20270114', '20270115']);
    asked = [];
    await rail.ask(bench.order({ sendUntil }), noDeadline());
    assert.deepEqual(asked.slice(0, 4), [undefined, '20261120', '20261123', '20261124']);
  });

  it('an STP order is not_found only if STP has none on any of its dates', async () => {
    for (const wrong of [
      { status: 500, body: '' },
      { status: 200, body: '{"estado":1}' },
      { status: 404, body: '{}' },
    ]) {
      answer = ({ fechaOperacion }) => (fechaOperacion === '20270114' ? wrong : NONE);
      assert.equal(
        (await rail.ask(bench.order({ sendUntil: bench.clock.now() - DAY_MS }), noDeadline())).kind,
        'unknown',
      );
    }
  });

  it('an STP state change is confirmed only by the same order with the same amount', async () => {
    const { port } = server.address() as AddressInfo;
    const connection = bench.connect(`http://127.0.0.1:${port}`, { allowList: ['127.0.0.1'] });
    const order = bench.order();
    const [notifications] = connection.rails.notifications;
    const notification = {
      id: '1',
      empresa: STP_CLIENT.empresa,
      folioOrigen: trackingKeyOf(order.reference),
      estado: 'LQ',
    };
    const body = Buffer.from(JSON.stringify(notification));
    const reading = notifications?.read({ body, headers: {}, clientAddress: '127.0.0.1' });
    const news = reading?.ok ? reading.value.news[0] : undefined;
    assert.ok(news && !('transfer' in news) && news.kind !== 'payment' && news.ask);
    for (const [change, kind] of [
      [{}, 'confirmed'],
      [{ monto: 100.51 }, 'unconfirmed'],
      [{ claveRastreo: `${trackingKeyOf(order.reference)}0` }, 'unconfirmed'],
      [{ estado: 'CN' }, 'unconfirmed'],
    ] as const) {
      answer = () => found(row(order, change));
      assert.equal((await news.ask(order.money, noDeadline())).kind, kind, JSON.stringify(change));
    }
    await connection.rails.close();
  });

  it('an STP state without an outcome leaves the payout pending or unknown', async () => {
    for (const [estado, kind] of [
      ['A', 'pending'],
      ['XD', 'pending'],
      ['ZZ', 'unknown'],
    ]) {
      const sent = bench.order();
      answer = () => found(row(sent, { estado }));
      assert.equal((await rail.ask(sent, noDeadline())).kind, kind, estado);
    }
  });

  it('an STP response about another order or another amount leaves the outcome of the payout unknown', async () => {
    for (const change of [{ claveRastreo: '1AbCd1234' }, { monto: 100.51 }]) {
      const sent = bench.order();
      answer = () => found(row(sent, change));
      assert.equal((await rail.ask(sent, noDeadline())).kind, 'unknown', JSON.stringify(change));
    }
  });

  for (const [status, body] of [
    [200, ''],
    [200, '{}'],
    [200, '{"resultado":{"id":0,"descripcionError":"No se recibió respuesta del servicio"}}'],
    [200, '{"resultado":{"id":-999,"descripcionError":"x"}}'],
    [302, ''],
    [400, '{"resultado":{"id":10000000}}'],
    [401, ''],
    [403, '<html>'],
    [429, ''],
    [503, ''],
  ] as const) {
    it(`the HTTP ${status} response ${body || 'without a body'} from STP leaves the outcome of the payout unknown`, async () => {
      answer = () => ({ status, body });
      assert.equal((await rail.send(bench.order(), noDeadline())).kind, 'unknown');
      assert.equal((await rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    });
  }
});
