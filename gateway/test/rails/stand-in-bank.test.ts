/**
 * The stand-in bank's rail end to end: worker, connector, bank, notifications, on real PostgreSQL. For each magic amount
 * the payout must end as the bank's book says, and the book must show no payout executed twice.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { systemClock as bankClock } from '../../../rail-simulators/src/clock.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { startStandInBank } from '../../../rail-simulators/src/stand-in-bank/stand-in-bank.ts';
import type { PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import { createReportPayout, type ReportPayout } from '../../src/domain/payouts/report-payout.ts';
import { createPauseView } from '../../src/domain/routing/pauses.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/ids.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { createHttpServer } from '../../src/protocol/http/http-server.ts';
import { registerRailNotifications } from '../../src/protocol/rail-notifications/routes.ts';
import type { RailNotificationEvent } from '../../src/protocol/rail-notifications/take-notification.ts';
import { createRails, type Rails } from '../../src/rails/registry.ts';
import { createStandInBankNotifications } from '../../src/rails/stand-in-bank/notifications.ts';
import { createPayoutJobStore } from '../../src/storage/payout-job-store.ts';
import { verifyInvariants } from '../../src/storage/verify-invariants.ts';
import { createPayoutDelivery, type PayoutDelivery } from '../../src/worker/payout-delivery.ts';
import { merchantNamed } from '../support/merchant-named.ts';
import { NO_RAILS } from '../support/no-rails.ts';
import { NOWHERE_ELSE } from '../support/scripted-rail.ts';
import { askSimulator } from '../support/simulator-control.ts';
import { openPayoutBench, type PayoutBench, plainCallbacks } from '../support/stored-payouts.ts';
import { until } from '../support/until.ts';

const SECRET = new Secret('stand-in-bank-secret');
const DELAY_MS = 300;
const RAIL = 'stand-in-bank';

describe('a payout through the stand-in bank', { concurrency: true }, () => {
  let bench: PayoutBench;
  let bank: ProviderServer;
  let rails: Rails;
  let api: FastifyInstance;
  let delivery: PayoutDelivery;
  let payouts = 0;
  const notified: RailNotificationEvent[] = [];
  const problems: string[] = [];

  before(async () => {
    bench = await openPayoutBench();
    await bench.fund('M1', 100_000_000n);
    const merchant = merchantNamed('M1');
    const report = createReportPayout({
      store: bench.store,
      merchants: { find: async () => ({ merchant, keys: [] }) },
      compose: plainCallbacks,
      onSettled: () => {},
    });
    api = await listen(report);
    bank = await startStandInBank({
      host: '127.0.0.1',
      port: 0,
      secret: SECRET.reveal(),
      notifyUrl: `${api.listeningOrigin}/rail-notifications/${RAIL}`,
      control: true,
      clock: bankClock,
      delays: { settleMs: DELAY_MS, changeMs: DELAY_MS, lateNotificationMs: DELAY_MS },
      log: () => {},
    });
    const configuration = { ...NO_RAILS, standInBank: { url: bank.url, secret: SECRET } };
    const hooks = { onCredentialRefused: (rail: string) => problems.push(`${rail}: credential refused`) };
    rails = createRails(configuration, { hooks, clock: systemClock, random: systemRandom });
    delivery = createPayoutDelivery({
      rails: rails.payoutRails.map(hurried),
      jobs: createPayoutJobStore(bench.database, systemClock),
      report,
      vault: { openFields: () => assert.fail('these payouts have no secret fields') },
      merchant: async () => merchant,
      pauses: createPauseView([]),
      ...NOWHERE_ELSE,
      clock: systemClock,
      random: systemRandom,
      clockIsRight: async () => true,
      onRailCall: () => {},
      onProblem: (problem, error) => problems.push(`${problem} ${error}`),
    });
    delivery.start();
  });

  after(async () => {
    await delivery.stop();
    const summary = (await control('summary')) as { executions_by_remittance_over_one: string[] };
    await bank.close();
    await rails.close();
    await api.close();
    await bench.store.drain();
    const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
    await bench.close();
    assert.deepEqual(broken, []);
    assert.deepEqual(summary.executions_by_remittance_over_one, [], 'no payout was executed twice');
    assert.deepEqual([...new Set(notified.map(({ kind }) => kind))].sort(), ['known', 'recorded']);
    assert.deepEqual(problems, []);
  });

  const control = (what: string) => askSimulator({ url: bank.url, secret: SECRET.reveal() }, what);

  async function listen(report: ReportPayout): Promise<FastifyInstance> {
    const app = createHttpServer({ trustedProxies: [], onInternalError: (error) => problems.push(String(error)) });
    registerRailNotifications(app, {
      rails: [createStandInBankNotifications({ url: '', secret: SECRET })],
      store: bench.store,
      report,
      confirm: async () => assert.fail('no money comes in here'),
      takePayment: async () => assert.fail('no payer pays here'),
      take: async () => assert.fail('no money comes in here'),
      clock: systemClock,
      onNotification: (event) => notified.push(event),
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return app;
  }

  /** The real rail with shorter waits: what it does is the same. */
  function hurried(rail: PayoutRail): PayoutRail {
    return { ...rail, timeoutMs: 500, notFoundProofMs: 500, askAfterMs: [100, 200] };
  }

  async function send(cents: bigint): Promise<string> {
    const payoutId = `p${++payouts}`;
    const change = { rail: RAIL, acceptedAt: systemClock.now() };
    await bench.store.accept(await bench.newPayout('M1', payoutId, 1_000n + cents, change));
    delivery.nudge();
    return payoutId;
  }

  const final = (payoutId: string) =>
    until(`${payoutId} final`, async () => {
      const payout = await bench.store.find({ merchantId: 'M1', payoutId });
      return payout?.state === 'pending' ? undefined : `${payout?.state} ${payout?.code}`;
    });

  const adjustments = async (payoutId: string) => {
    const { rows } = await bench.owner.query('select kind from payout_adjustments where payout_id = $1', [payoutId]);
    return rows.map(({ kind }) => kind as string);
  };

  const bookOf = async (payoutId: string) => {
    const { entries } = (await control('book')) as { entries: { remittance: string; executions: number }[] };
    return entries.findLast(({ remittance }) => remittance === `M1/${payoutId}`);
  };

  const ends: readonly (readonly [cents: bigint, end: string, executions: number, how: string])[] = [
    [0n, 'success 0', 1, 'is executed at once'],
    [40n, 'success 0', 1, 'is pending and then executed'],
    [41n, 'blocked 51', 0, 'is pending and then declined'],
    [42n, 'success 0', 1, 'is executed without a notification, and found by asking'],
    [44n, 'success 0', 1, 'is executed and never answered, and found by asking'],
    [50n, 'success 0', 1, 'is executed behind a 500, and found by asking'],
    [51n, 'blocked 51', 0, 'is declined'],
    [52n, 'blocked 52', 0, 'is declined for its recipient'],
    [53n, 'blocked 53', 0, 'is declined for a limit'],
    [62n, 'success 0', 1, 'is notified before it is answered'],
    [63n, 'success 0', 1, 'is notified three times'],
  ];
  for (const [cents, end, executions, how] of ends) {
    it(`of .${String(cents).padStart(2, '0')} ${how}`, async () => {
      const payoutId = await send(cents);
      assert.equal(await final(payoutId), end);
      await systemClock.sleep(3 * DELAY_MS);
      assert.equal((await bookOf(payoutId))?.executions, executions);
      assert.equal(await final(payoutId), end);
      assert.deepEqual(await adjustments(payoutId), []);
    });
  }

  it('of .60 is executed and later reversed: a record of its own, the state stays', async () => {
    const payoutId = await send(60n);
    assert.equal(await final(payoutId), 'success 0');
    await until('the reversal', async () => (await adjustments(payoutId)).length > 0);
    assert.deepEqual(await adjustments(payoutId), ['reversed']);
    assert.equal(await final(payoutId), 'success 0');
  });

  it('of .61 is declined and later executed all the same: a record of its own, the state stays', async () => {
    const payoutId = await send(61n);
    assert.equal(await final(payoutId), 'blocked 51');
    await until('the late execution', async () => (await adjustments(payoutId)).length > 0);
    assert.deepEqual(await adjustments(payoutId), ['late_execution']);
    assert.equal(await final(payoutId), 'blocked 51');
  });

  it('of .45 is lost on its way every time: asked about, sent again only when provably lost, never executed', async () => {
    const payoutId = await send(45n);
    const outcomes = await until('a second attempt', async () => {
      const { rows } = await bench.owner.query(
        'select outcome from payout_attempts where payout_id = $1 order by attempt',
        [payoutId],
      );
      return rows.length > 1 ? rows.map(({ outcome }) => outcome) : undefined;
    });
    assert.equal(outcomes[0], 'not_taken');
    assert.equal(await bookOf(payoutId), undefined);
  });
});
