import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { Confirmation } from '../../domain/deposits/confirm-transfer.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import {
  type BenchSimulator,
  FRIDAY_NOON,
  openStpUnderTest,
  STP_CLIENT,
  type StpConnection,
  type StpUnderTest,
} from './rail-under-test.ts';

const CLABE = '646180499000000018';
const ANOTHER_CLABE = '646180499000000021';
const FRIDAY = '20261120';

let bench: StpUnderTest;

before(async () => {
  bench = await openStpUnderTest();
});
after(() => bench.close());

/** An abono of 60,000.00 as a third party could send it, correct in every field. */
const abono = (claveRastreo: string, change: object = {}) => ({
  id: 1,
  fechaOperacion: FRIDAY,
  institucionOrdenante: 40012,
  claveRastreo,
  monto: '60000.00',
  nombreOrdenante: 'Somebody',
  cuentaOrdenante: '012180015000000017',
  cuentaBeneficiario: CLABE,
  empresa: STP_CLIENT.empresa,
  tipoPago: 1,
  tsLiquidacion: '0',
  ...change,
});

async function confirm(
  { rails }: StpConnection,
  abono: object,
  deadline = noDeadline(),
): Promise<Confirmation | undefined> {
  const [notifications] = rails.notifications;
  const body = Buffer.from(JSON.stringify(abono));
  const reading = notifications?.read({ body, headers: {}, clientAddress: '127.0.0.1' });
  assert.ok(reading?.ok);
  const [news] = reading.value.news;
  assert.ok(news?.kind === 'received' && news.ask, 'it has to be asked about');
  return news.ask(deadline);
}

const unconfirmed = (reason: string) => ({ kind: 'unconfirmed', reason });

describe('the confirmation of a large abono', () => {
  let stp: BenchSimulator;
  let connection: StpConnection;

  before(async () => {
    stp = await bench.startSimulator();
    connection = bench.connect(stp.url, { allowList: ['127.0.0.1'] });
  });
  after(async () => {
    await stp.close();
    await connection.rails.close();
  });

  const pay = (claveRastreo: string) => stp.control('pay', { clabe: CLABE, amount: '60000.00', claveRastreo });

  it('a large abono is confirmed with the fields of STP’s own list, whatever else the notification contained', async () => {
    await pay('P1');
    assert.deepEqual(await confirm(connection, abono('P1')), {
      kind: 'confirmed',
      transfer: {
        rail: 'stp',
        transferKey: `P1/40012/${FRIDAY}`,
        payTo: CLABE,
        money: { currency: 'MXN', minor: 6_000_000n },
        originator: {
          name: 'ANA PAGADORA',
          account: '012180015000000000',
          institution: '40012',
          concept: 'PAGO',
          trackingKey: 'P1',
        },
        bookedAt: FRIDAY_NOON,
      },
    });
  });

  it('a large abono is not confirmed if STP refuses our signature, and the rail reports the credential', async () => {
    await pay('P0');
    const stranger = bench.connect(stp.url, {
      allowList: ['127.0.0.1'],
      privateKeyFile: join(bench.folder, 'another-private-key.pem'),
    });
    assert.deepEqual(await confirm(stranger, abono('P0')), unconfirmed('HTTP 400 Firma invalida'));
    assert.deepEqual(stranger.refusedCredentials, ['stp']);
    await stranger.rails.close();
  });

  it('a large abono is not confirmed if STP has no such transfer, or has it with other fields', async () => {
    await pay('P2');
    for (const [sent, reason] of [
      [abono('P3'), 'STP does not find the transfer'],
      [abono('P2', { monto: '60000.01' }), 'STP finds the transfer with another amount'],
      [abono('P2', { cuentaBeneficiario: ANOTHER_CLABE }), 'STP finds the transfer to another account'],
      [
        abono('P2', { institucionOrdenante: 40002 }),
        'STP finds a transfer of another bank or date under this claveRastreo',
      ],
      [
        abono('P2', { fechaOperacion: '20261119' }),
        'STP finds a transfer of another bank or date under this claveRastreo',
      ],
      [
        abono('P2', { tipoPago: 0 }),
        'STP finds a payment where the notification reports a return, or the other way round',
      ],
      [abono('P|R|20261120'), 'STP cannot be queried by its claveRastreo'],
    ] as const) {
      assert.deepEqual(await confirm(connection, sent), unconfirmed(reason), JSON.stringify(sent));
    }
  });

  it('a large abono is not confirmed while STP fails or is silent', async () => {
    await pay('P4');
    await stp.control('faults', { answer_500: 1 });
    assert.deepEqual(await confirm(connection, abono('P4')), unconfirmed('HTTP 500'));
    await stp.control('faults', { down: true });
    assert.equal((await confirm(connection, abono('P4')))?.kind, 'unconfirmed');
    await stp.control('faults', { down: false, latency_ms: 1_000 });
    assert.deepEqual(await confirm(connection, abono('P4'), deadlineAfter(50)), unconfirmed('no response in time'));
    await stp.control('faults', { latency_ms: 0 });
    assert.equal((await confirm(connection, abono('P4')))?.kind, 'confirmed');
  });

  it('a large abono is not confirmed with a private key that STP rejects, or without one', async () => {
    await pay('P5');
    const stranger = bench.connect(stp.url, {
      allowList: ['127.0.0.1'],
      privateKeyFile: join(bench.folder, 'another-private-key.pem'),
    });
    assert.deepEqual(await confirm(stranger, abono('P5')), unconfirmed('HTTP 400 Firma invalida'));
    await stranger.rails.close();
    const keyless = bench.connect(stp.url, { allowList: ['127.0.0.1'], simulated: false, privateKeyFile: '/nowhere' });
    assert.deepEqual(
      await confirm(keyless, abono('P5')),
      unconfirmed('our private key cannot be read: check STP_PRIVATE_KEY_FILE'),
    );
    await keyless.rails.close();
  });

  it('a large abono is found on its operation date and later, whatever STP’s current date is', async () => {
    await pay('P6');
    bench.clock.advance(7 * HOUR_MS);
    assert.equal((await confirm(connection, abono('P6')))?.kind, 'confirmed', 'on Friday evening');
    await pay('P7');
    assert.equal((await confirm(connection, abono('P7', { fechaOperacion: '20261123' })))?.kind, 'confirmed');
    bench.clock.advance(4 * DAY_MS);
    assert.equal((await confirm(connection, abono('P6')))?.kind, 'confirmed', 'on Tuesday');
    await pay('P6');
    assert.equal((await confirm(connection, abono('P6')))?.kind, 'confirmed', 'though Tuesday has one of that name');
  });
});

describe('unusable responses about a large abono', () => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  let asked: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    assert.deepEqual([body.tipoOrden, body.claveRastreo], ['R', 'P1']);
    asked.push(body.fechaOperacion);
    response.writeHead(answer.status).end(answer.body);
  });
  let connection: StpConnection;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    connection = bench.connect(`http://127.0.0.1:${port}`, { allowList: ['127.0.0.1'] });
  });
  beforeEach(() => {
    asked = [];
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await connection.rails.close();
  });

  const row = (change: object = {}) => ({
    idEF: 1,
    claveRastreo: 'P1',
    fechaOperacion: FRIDAY,
    estado: 'LQ',
    monto: '60000.00',
    institucionContraparte: 40012,
    cuentaBeneficiario: CLABE,
    tipoPago: 1,
    ...change,
  });
  const found = (transfer: object) => ({ status: 200, body: JSON.stringify({ estado: 0, respuesta: transfer }) });

  it('the rail queries an abono without a date, then with its date if STP’s current day does not have it', async () => {
    answer = found(row());
    assert.equal((await confirm(connection, abono('P1')))?.kind, 'confirmed');
    assert.deepEqual(asked, [undefined]);
    asked = [];
    answer = { status: 400, body: '{"estado":6,"mensaje":"No se encontraron datos relacionados","total":0}' };
    assert.equal((await confirm(connection, abono('P1')))?.kind, 'unconfirmed');
    assert.deepEqual(asked, [undefined, FRIDAY]);
  });

  for (const [estado, isConfirmed] of [
    ['LQ', true],
    ['TLQ', true],
    ['CCO', true],
    ['CXO', true],
    ['L', false],
    ['XD', false],
    ['D', false],
    ['CN', false],
    ['ZZ', false],
  ] as const) {
    it(`a large abono is ${isConfirmed ? '' : 'not '}confirmed by a transfer in state ${estado}`, async () => {
      answer = found(row({ estado }));
      const { kind } = (await confirm(connection, abono('P1'))) ?? {};
      assert.equal(kind, isConfirmed ? 'confirmed' : 'unconfirmed');
    });
  }

  for (const [what, given] of [
    ['a page', { status: 200, body: '<html>' }],
    ['an empty answer', { status: 200, body: '' }],
    ['an answer without a transfer', { status: 200, body: '{"estado":0}' }],
    ['a transfer without an amount', found(row({ monto: null }))],
    ['a transfer with an invalid amount', found(row({ monto: '6e4' }))],
    ['the transfer in an HTTP 500', { ...found(row()), status: 500 }],
    ['another transfer', found(row({ claveRastreo: 'P2' }))],
  ] as const) {
    it(`a large abono is not confirmed by ${what}`, async () => {
      answer = given;
      assert.equal((await confirm(connection, abono('P1')))?.kind, 'unconfirmed');
    });
  }

  it('a large abono that returns an order is confirmed only by a return of the same order', async () => {
    const back = { tipoPago: 0, claveRastreo: 'P1', claveRastreoDevolucion: '1024Ab3dEf7h' };
    answer = found(row(back));
    const answered = await confirm(connection, abono('P1', back));
    assert.equal(answered?.kind === 'confirmed' && answered.transfer.returnOf, '1024-Ab3dEf7h');
    answer = found(row({ ...back, claveRastreoDevolucion: '1025Ab3dEf7h' }));
    assert.equal((await confirm(connection, abono('P1', back)))?.kind, 'unconfirmed');
  });
});
