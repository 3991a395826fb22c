/** A proxy that is missing in TRUSTED_PROXIES is reported in the log, the alerts and the doctor. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { examineInstallation } from '../../../src/main/doctor/doctor.ts';
import { freePort, MASTER_KEY, startGateway } from '../../support/gateway/running-gateway.ts';

async function behindProxy(variables: Readonly<Record<string, string>>) {
  const port = String(await freePort());
  const gateway = await startGateway({ variables: { ...variables, METRICS_PORT: port } });
  try {
    for (let request = 0; request < 25; request++)
      await fetch(`${gateway.url}/nowhere`, { headers: { 'x-forwarded-for': `203.0.113.${request}` } });
    const findings = await examineInstallation({
      variables: {
        DATABASE_URL: gateway.database.connectionString,
        GATEWAY_MASTER_KEY: MASTER_KEY,
        METRICS_PORT: port,
      },
      nodeVersion: process.versions.node,
      clock: systemClock,
      random: systemRandom,
    });
    return {
      logged: gateway.log.filter((line) => line.includes('"proxy_not_trusted","client":"127.0.0.1"')).length,
      alerts: gateway.log.filter((line) => line.includes('"alert":"proxy_not_trusted"')).length,
      doctor: findings.find(({ name }) => name === 'Proxy')?.found,
    };
  } finally {
    await gateway.stop();
  }
}

it('the log, the alerts and the doctor report a proxy that TRUSTED_PROXIES does not contain', async () => {
  const { doctor, ...rest } = await behindProxy({});
  assert.deepEqual(rest, { logged: 1, alerts: 1 });
  assert.match(doctor ?? '', /through a proxy that TRUSTED_PROXIES does not list/);
});

it('neither the log, the alerts nor the doctor report a trusted proxy', async () => {
  assert.deepEqual(await behindProxy({ TRUSTED_PROXIES: '127.0.0.1' }), { logged: 0, alerts: 0, doctor: undefined });
});
