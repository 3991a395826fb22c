import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { configOf, MASTER_KEY, startGateway } from '../../../test/support/gateway/running-gateway.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { RunningProcess } from '../../domain/monitoring/running-process.ts';
import type { BreakerState, RailHealth } from '../../domain/rails/rail-health.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { examineInstallation } from './doctor.ts';
import { examineRails } from './doctor-rails.ts';

const PARTS = { variables: {}, nodeVersion: process.versions.node, clock: systemClock, random: systemRandom };

let status = 404;
const server = createServer((_request, response) => response.writeHead(status).end('<h1>Bad Gateway</h1>'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function findingOf(address: string, ...breakers: BreakerState[]) {
  const workers = breakers.map((breaker): RailHealth => ({ rail: 'wayforpay', breaker, inFlight: 0 }));
  const [finding] = await examineRails(configOf({ WAYFORPAY_URL: address, PORT: '1' }), PARTS, {
    workers,
    processes: [],
  });
  return finding;
}

for (const code of [502, 503, 504]) {
  it(`the doctor reports a rail whose URL returns HTTP ${code}`, async () => {
    status = code;
    const finding = await findingOf(url, 'closed');
    assert.equal(finding?.ok, false);
    assert.match(finding?.found ?? '', new RegExp(`returns HTTP ${code}: a proxy responds without the provider`));
  });
}

it('the doctor passes a rail whose URL returns any other status and reports an unreachable rail', async () => {
  for (const code of [200, 301, 401, 404, 500]) {
    status = code;
    const finding = await findingOf(url);
    assert.deepEqual([finding?.ok, finding?.found], [true, `${url} responds (HTTP ${code})`]);
  }
  assert.match((await findingOf('http://127.0.0.1:1'))?.found ?? '', /is unreachable/);
});

it('the doctor reports the worst breaker state of all workers, even when the rail’s URL responds', async () => {
  status = 404;
  assert.equal((await findingOf(url, 'closed', 'closed'))?.ok, true);
  assert.match(
    (await findingOf(url, 'closed', 'half_open'))?.found ?? '',
    /a worker reports that the rail failed, and retries it$/,
  );
  const failing = await findingOf(url, 'half_open', 'open', 'closed');
  assert.equal(failing?.ok, false);
  assert.match(failing?.found ?? '', /responds \(HTTP 404\), but a worker reports the rail down$/);
});

it('the doctor reports each rail as the running processes configure it, and lists differences between them', async () => {
  const process = (...rails: string[]): RunningProcess => ({
    processId: rails.join(),
    role: 'all',
    version: '1',
    host: 'a',
    sendingRails: [],
    since: 0,
    seenAt: 0,
    rails,
  });
  const foundOf = async (processes: readonly RunningProcess[]) =>
    (await examineRails(configOf({ WAYFORPAY_URL: url }), PARTS, { workers: [], processes }))
      .filter(({ found }) => found.includes('configured'))
      .map(({ name, found }) => `${name}: ${found}`);
  assert.deepEqual(await foundOf([]), []);
  assert.deepEqual(await foundOf([process('sandbox', 'wayforpay', 'stp'), process('sandbox', 'stp')]), [
    'Rail wayforpay: configured in 1 of 2 running processes',
    'Rail stp: configured in the running processes; this shell lacks its variables, so its URL was not checked',
  ]);
  assert.deepEqual(await foundOf([process('sandbox')]), [
    'Rail wayforpay: configured in this shell, and in no running process',
  ]);
});

it('the doctor, the workers and the log report a failing rail as down until it responds', async () => {
  const gateway = await startGateway({ pace: { rail: { timeoutMs: 1_000 } } });
  const lines = (event: string) => gateway.log.filter((line) => line.includes(`"${event}"`)).length;
  const seen = async () => {
    const own = { DATABASE_URL: gateway.database.connectionString, WAYFORPAY_URL: gateway.bank.url };
    const variables = { ...own, GATEWAY_MASTER_KEY: MASTER_KEY, METRICS_PORT: '0', MANAGE_PORT: '0' };
    const findings = await examineInstallation({ ...PARTS, variables });
    const worker = (await gateway.operations.rails.health()).find(({ rail }) => rail === 'wayforpay');
    return { doctor: findings.find(({ name }) => name === 'Rail wayforpay'), breaker: worker?.breaker };
  };
  try {
    const merchant = await gateway.merchant();
    await gateway.bank.faults({ down: true });
    for (let payout = 0; payout < 6; payout++) await merchant.pay(1, `down-${payout}`);
    await until('the breaker is open', () => lines('rail_breaker_opened') === 1);
    assert.equal(gateway.log.filter((line) => line.includes('"alert":"rail_down"')).length, 1);
    await until('the worker has said so', async () => (await seen()).breaker !== 'closed');
    assert.equal((await seen()).doctor?.ok, false);
    await gateway.bank.faults({ down: false });
    await until('it is back', () => lines('rail_breaker_closed') === 1);
    assert.equal(gateway.log.filter((line) => line.includes('"alert":"rail_back"')).length, 1);
    await until('the worker says so', async () => (await seen()).breaker === 'closed');
    assert.equal((await seen()).doctor?.ok, true);
  } finally {
    await gateway.verifyAndStop();
  }
});
