/**
 * Checks the protocol against STP's simulator over HTTP: two implementations of the same rules, each of which can
 * disprove the other.
 */

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import { startStp } from '../../../../rail-simulators/src/stp/server.ts';
import { controlSurface, START_OPTIONS } from '../../../test/support/rails/simulator-control.ts';
import { until } from '../../../test/support/tools/until.ts';
import { composeClabe } from './clabe.ts';
import { ABONO_CONFIRMED, abonoReturned, readIncoming, STATE_RECEIVED } from './notification-messages.ts';
import { operationDate } from './operation-date.ts';
import { type PaymentOrder, REGISTER_ORDER_PATH, readRegistration, STP_INSTITUTION, writeOrder } from './protocol.ts';
import {
  RECONCILIATION_PATH,
  readReconciliation,
  readTransferAnswer,
  TRANSFER_QUERY_PATH,
  writeReconciliationQuery,
  writeTransferQuery,
} from './queries.ts';
import { NO_SUCH_ACCOUNT } from './vocabulary.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const empresa = 'TIENDA';
const clabePrefix = '6461804990';
const ours = composeClabe(clabePrefix, 1n);

type Message = Extract<ReturnType<typeof readIncoming>, { ok: true }>['value'];

describe('the protocol and STP’s simulator', () => {
  const notified: Message[] = [];
  const unreadable: string[] = [];
  const client = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reading = readIncoming(Buffer.concat(chunks));
    if (!reading.ok) {
      unreadable.push(reading.error);
      return response.writeHead(500).end();
    }
    notified.push(reading.value);
    const { status, contentType, body } = answerTo(reading.value);
    return response.writeHead(status, { 'content-type': contentType }).end(body);
  });
  let stp: ProviderServer;

  function answerTo(message: Message) {
    if (message.kind === 'state') return STATE_RECEIVED;
    return message.abono.cuentaBeneficiario.startsWith(clabePrefix) ? ABONO_CONFIRMED : abonoReturned(NO_SUCH_ACCOUNT);
  }

  before(async () => {
    client.listen(0, '127.0.0.1');
    await once(client, 'listening');
    const url = `http://127.0.0.1:${(client.address() as AddressInfo).port}/`;
    stp = await startStp({
      ...START_OPTIONS,
      empresa,
      clabePrefix,
      findPublicKey: () => keys.publicKey,
      notify: { abonoUrl: url, stateUrl: url },
      delays: { settleMs: 50, returnMs: 50 },
    });
  });
  after(async () => {
    await stp.close();
    client.close();
    client.closeAllConnections();
  });

  async function send(method: string, path: string, body: string): Promise<readonly [number, Buffer]> {
    const response = await fetch(stp.url + path, { method, body });
    return [response.status, Buffer.from(await response.arrayBuffer())];
  }

  const control = (path: string, body: object) => controlSurface(stp.url).control(path, body);

  const order = (change: Partial<PaymentOrder> = {}): PaymentOrder => ({
    empresa,
    claveRastreo: 'GW000001',
    folioOrigen: 'return-1',
    money: { currency: 'MXN', minor: 12_345n },
    institucionContraparte: '40012',
    cuentaOrdenante: ours,
    nombreOrdenante: 'Tienda de México, S.A.',
    cuentaBeneficiario: '012180015000000000',
    nombreBeneficiario: 'José Muñoz',
    conceptoPago: 'Devolución',
    referenciaNumerica: '1',
    ...change,
  });
  const register = async (change: Partial<PaymentOrder>, key = keys.privateKey) =>
    readRegistration(...(await send('PUT', REGISTER_ORDER_PATH, writeOrder(order(change), key))));
  const ask = async (claveRastreo: string, direction: 'E' | 'R') => {
    const query = writeTransferQuery({ empresa, claveRastreo, direction, fechaOperacion: null }, keys.privateKey);
    return readTransferAnswer(...(await send('POST', TRANSFER_QUERY_PATH, query)));
  };
  const list = async (fechaOperacion: string | null) => {
    const query = writeReconciliationQuery({ empresa, direction: 'R', fechaOperacion, page: 0 }, keys.privateKey);
    return readReconciliation(...(await send('POST', RECONCILIATION_PATH, query)));
  };

  it('STP’s protocol and simulator agree on an order, its outcome and the query about it', async () => {
    const taken = await register({});
    assert.ok(taken.kind === 'accepted');
    assert.deepEqual(await register({}), { kind: 'key_used' });
    const change = await until('it happens', () => notified.find((message) => message.kind === 'state'));
    assert.deepEqual(
      [change.change.id, change.change.folioOrigen, change.change.state],
      [taken.id, 'return-1', 'settled'],
    );
    const answer = await ask('GW000001', 'E');
    assert.ok(answer.kind === 'found');
    assert.deepEqual([answer.transfer.state, answer.transfer.money.minor], ['settled', 12_345n]);
    assert.deepEqual(await ask('GW000002', 'E'), { kind: 'not_found' });
  });

  it('STP’s protocol and simulator agree on valid signatures and on the owners of accounts', async () => {
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    assert.equal((await register({ claveRastreo: 'GW000003' }, stranger)).kind, 'refused');
    for (const change of [
      { cuentaOrdenante: composeClabe('6461804991', 1n) },
      { institucionContraparte: STP_INSTITUTION },
      { cuentaBeneficiario: ours, institucionContraparte: STP_INSTITUTION },
    ]) {
      assert.equal((await register({ claveRastreo: 'GW000004', ...change })).kind, 'refused');
    }
  });

  it('STP’s protocol and simulator agree on an abono, on its return and on the day’s list', async () => {
    await control('pay', { clabe: ours, amount: '100.10', name: 'José Muñoz', claveRastreo: 'PAGO-1/A' });
    await control('pay', { clabe: ours, amount: '7', behaviour: 'foreign_clabe', claveRastreo: 'PAGO-2' });
    const abono = await until('it happens', () =>
      notified.find((message) => message.kind === 'abono' && message.abono.claveRastreo === 'PAGO-1/A'),
    );
    assert.ok(abono.kind === 'abono');
    const { money, nombreOrdenante, cuentaBeneficiario, fechaOperacion, isReturnedOrder } = abono.abono;
    assert.deepEqual([money.minor, nombreOrdenante, cuentaBeneficiario], [10_010n, 'José Muñoz', ours]);
    assert.deepEqual([fechaOperacion, isReturnedOrder], [operationDate(Date.now()), false]);
    const givenBack = await until('it happens', async () => {
      const answer = await ask('PAGO-2', 'R');
      return answer.kind === 'found' && answer.transfer.state === 'returned' ? answer.transfer : undefined;
    });
    assert.equal(givenBack.causaDevolucion, '1');
    const listed = await list(null);
    assert.ok(listed.kind === 'page');
    const paid = listed.transfers.find(({ claveRastreo }) => claveRastreo === 'PAGO-1/A');
    assert.deepEqual([paid?.idEF, paid?.state, listed.unreadable], [abono.abono.id, 'settled', []]);
    assert.deepEqual(await list('20200102'), { kind: 'none' });
  });

  it('STP’s protocol and simulator agree on a returned order', async () => {
    await control('faults', { orders: 'return', state_words: 'words' });
    await register({ claveRastreo: 'GW000005', folioOrigen: 'return-5' });
    await until('it happens', () =>
      notified.find((message) => message.kind === 'state' && message.change.state === 'returned'),
    );
    const listed = await list(null);
    assert.ok(listed.kind === 'page');
    const back = listed.transfers.filter(({ isReturnedOrder }) => isReturnedOrder);
    assert.deepEqual(
      back.map(({ claveRastreo, money }) => [claveRastreo, money.minor]),
      [['GW000005', 12_345n]],
    );
  });

  it('STP’s protocol reads every notification of the simulator', () => assert.deepEqual(unreadable, []));
});
