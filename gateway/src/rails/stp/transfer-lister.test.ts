import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { IncomingTransfer } from '../../domain/deposits/deposit.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import { type BenchSimulator, openStpUnderTest, type StpConnection, type StpUnderTest } from './rail-under-test.ts';

const CLABE = '646180499000000018';

describe('STP’s list of incoming transfers', () => {
  let bench: StpUnderTest;
  let stp: BenchSimulator;
  let connection: StpConnection;

  before(async () => {
    bench = await openStpUnderTest();
    stp = await bench.startSimulator({ rowsPerPage: 2 });
    connection = bench.connect(stp.url);
  });
  after(async () => {
    await stp.close();
    await connection.rails.close();
    await bench.close();
  });

  const pay = (claveRastreo: string) => stp.control('pay', { clabe: CLABE, amount: '10.00', claveRastreo });

  const lister = () => {
    const [found] = connection.rails.transferListers;
    assert.ok(found);
    return found;
  };

  async function listed(): Promise<IncomingTransfer[]> {
    const transfers: IncomingTransfer[] = [];
    for (const day of lister().daysToReconcile(bench.clock.now())) {
      const list = await lister().transfersOf(day, AbortSignal.timeout(5_000));
      assert.deepEqual(list.unreadable, []);
      transfers.push(...list.transfers);
    }
    return transfers;
  }

  const keysOf = (transfers: readonly IncomingTransfer[]) => transfers.map(({ transferKey }) => transferKey);

  it('the STP list contains every transfer of the last days, across pages and weekends', async () => {
    for (const key of ['P1', 'P2', 'P3']) await pay(key);
    bench.clock.advance(7 * HOUR_MS);
    await pay('P4');
    const all = ['P1/40012/20261120', 'P2/40012/20261120', 'P3/40012/20261120', 'P4/40012/20261123'];
    assert.deepEqual(keysOf(await listed()), all);
    bench.clock.advance(3 * DAY_MS);
    assert.deepEqual(keysOf(await listed()), all, 'on Monday evening as well');
  });

  it('the list of STP’s transfers identifies a returned order of ours', async () => {
    await stp.control('faults', { orders: 'return' });
    const sent = bench.order();
    await connection.rail.send(sent, noDeadline());
    bench.clock.advance(2_000);
    await until('the order is settled', async () => (await connection.rail.ask(sent, noDeadline())).kind !== 'pending');
    bench.clock.advance(3_000);
    const back = await until('the return is listed', async () =>
      (await listed()).find(({ returnOf }) => returnOf !== undefined),
    );
    assert.deepEqual([back.returnOf, back.money.minor, back.payTo], [sent.reference, 10_050n, CLABE]);
  });

  it('an STP list with a failed page is rejected as incomplete', async () => {
    await stp.control('faults', { answer_500: 1 });
    const [day = ''] = lister().daysToReconcile(bench.clock.now());
    await assert.rejects(lister().transfersOf(day, AbortSignal.timeout(5_000)), ListIncomplete);
  });

  it('STP’s list is incomplete if STP refuses our signature, and the rail reports the credential', async () => {
    const { rails, refusedCredentials } = bench.connect(stp.url, {
      privateKeyFile: join(bench.folder, 'another-private-key.pem'),
    });
    await assert.rejects(
      async () => rails.transferListers[0]?.transfersOf('20261120', AbortSignal.timeout(5_000)),
      new ListIncomplete('HTTP 400 Firma invalida'),
    );
    assert.deepEqual(refusedCredentials, ['stp']);
    await rails.close();
  });

  it('the list of STP’s transfers keeps all readable rows and reports each unreadable row', async () => {
    const row = {
      idEF: 1,
      institucionContraparte: 40012,
      cuentaBeneficiario: CLABE,
      empresa: 'GATEWAY',
      estado: 'CCO',
      fechaOperacion: 20261120,
      monto: '10.00',
      tipoPago: 1,
    };
    const pages = [['Ñ1'], ['P1', 'Ñ2'], ['P2']].map((keys) => keys.map((claveRastreo) => ({ ...row, claveRastreo })));
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = await request.toArray();
      const { page } = JSON.parse(Buffer.concat(chunks).toString()) as { page: number };
      response.end(JSON.stringify({ estado: 0, datos: pages[page] ?? [], total: 4 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { rails } = bench.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      const list = await rails.transferListers[0]?.transfersOf('20261120', AbortSignal.timeout(5_000));
      assert.deepEqual(keysOf(list?.transfers ?? []), ['P1/40012/20261120', 'P2/40012/20261120']);
      assert.deepEqual(list?.unreadable, ['Ñ1: claveRastreo', 'Ñ2: claveRastreo']);
    } finally {
      await rails.close();
      server.close();
    }
  });
});
