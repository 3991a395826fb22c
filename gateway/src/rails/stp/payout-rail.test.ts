/**
 * Runs returns against STP's simulator over HTTP. Both use one clock that the test moves. STP's book proves what was
 * executed.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PayoutOrder, PayoutRail, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import type { Rails } from '../registry.ts';
import { type BenchSimulator, FRIDAY_NOON, openStpUnderTest, type StpUnderTest } from './rail-under-test.ts';
import { trackingKeyOf } from './reference.ts';

describe('payouts over STP', () => {
  let bench: StpUnderTest;
  let stp: BenchSimulator;
  let rail: PayoutRail;
  let rails: Rails;

  before(async () => {
    bench = await openStpUnderTest();
    stp = await bench.startSimulator();
    ({ rail, rails } = bench.connect(stp.url));
  });
  beforeEach(() => stp.control('reset', {}));
  after(async () => {
    await stp.close();
    await rails.close();
    await bench.close();
  });

  const taken = async () => (await stp.control('summary'))['orders'];
  const settled = async () => (await stp.control('summary'))['orders_settled'];
  const ask = (sent: PayoutOrder) => rail.ask(sent, noDeadline());

  /** Waits for a due change, because the simulator writes it to its book in the background. */
  function askUntil(sent: PayoutOrder, kind: RailStatus['kind']): Promise<RailStatus> {
    return until(`STP reports ${kind}`, async () => {
      const status = await ask(sent);
      return status.kind === kind && status;
    });
  }

  it('the STP rail carries only returns', () => {
    assert.deepEqual([[...rail.methods], [...(rail.ownPurposes ?? [])]], [[], ['return']]);
  });

  it('an STP order reaches STP with its fields and is pending until STP executes it', async () => {
    const sent = bench.order();
    assert.deepEqual(await rail.send(sent, noDeadline()), { kind: 'pending' });
    assert.deepEqual(await ask(sent), { kind: 'pending' });
    bench.clock.advance(2_000);
    assert.deepEqual(await askUntil(sent, 'executed'), { kind: 'executed' });
    const { entries } = (await stp.control('book')) as { entries: Record<string, unknown>[] };
    const recorded = Object.fromEntries(
      [
        'claveRastreo',
        'folioOrigen',
        'monto',
        'institucionContraparte',
        'cuentaOrdenante',
        'nombreOrdenante',
        'cuentaBeneficiario',
        'nombreBeneficiario',
        'conceptoPago',
      ].map((name) => [name, entries[0]?.[name]]),
    );
    assert.deepEqual(recorded, {
      claveRastreo: trackingKeyOf(sent.reference),
      folioOrigen: trackingKeyOf(sent.reference),
      monto: '100.50',
      institucionContraparte: '40012',
      cuentaOrdenante: '646180499000000018',
      nombreOrdenante: 'Tienda de Mexico',
      cuentaBeneficiario: '012180015000000000',
      nombreBeneficiario: 'Jose Munoz',
      conceptoPago: 'Return PAGO-1 A',
    });
  });

  it('an STP order needs neither a name nor a concept in SPEI’s letters', async () => {
    const sent = bench.order({}, { full_name: '', concept: '退款' });
    assert.deepEqual(await rail.send(sent, noDeadline()), { kind: 'pending' });
  });

  it('an STP order that its bank returned after the settlement is reversed with its reason', async () => {
    await stp.control('faults', { orders: 'return' });
    const sent = bench.order();
    await rail.send(sent, noDeadline());
    bench.clock.advance(2_000);
    await askUntil(sent, 'executed');
    bench.clock.advance(3_000);
    assert.deepEqual(await askUntil(sent, 'reversed'), { kind: 'reversed', reason: 'the account does not exist' });
  });

  it('an STP order that STP cancelled is declined', async () => {
    await stp.control('faults', { orders: 'cancel' });
    const sent = bench.order();
    await rail.send(sent, noDeadline());
    bench.clock.advance(2_000);
    assert.deepEqual(await askUntil(sent, 'declined'), {
      kind: 'declined',
      blockedReason: 'bank_declined',
      reason: 'STP reports CN',
    });
  });

  it('an STP order that times out after STP accepted it has an unknown outcome until a status query finds it executed', async () => {
    await stp.control('faults', { orders: 'settle_unanswered' });
    const sent = bench.order();
    const answer = await rail.send(sent, deadlineAfter(150));
    assert.deepEqual(answer, { kind: 'unknown', reason: 'no response in time' });
    bench.clock.advance(2_000);
    assert.deepEqual(await askUntil(sent, 'executed'), { kind: 'executed' });
    assert.deepEqual([await taken(), await settled()], [1, 1]);
  });

  it('an STP order that times out before STP accepted it has an unknown outcome, and a status query does not find an order', async () => {
    await stp.control('faults', { orders: 'lose' });
    const sent = bench.order();
    assert.equal((await rail.send(sent, deadlineAfter(150))).kind, 'unknown');
    assert.deepEqual(await ask(sent), { kind: 'not_found' });
    assert.equal(await taken(), 0);
  });

  it('an HTTP 500 leaves the outcome of an STP order unknown, whether or not STP accepted it', async () => {
    await stp.control('faults', { orders: 'settle_500' });
    const sent = bench.order();
    assert.deepEqual(await rail.send(sent, noDeadline()), { kind: 'unknown', reason: 'HTTP 500' });
    bench.clock.advance(2_000);
    assert.deepEqual(await askUntil(sent, 'executed'), { kind: 'executed' });
    await stp.control('faults', { orders: 'settle', answer_500: 1 });
    const other = bench.order();
    assert.deepEqual(await rail.send(other, noDeadline()), { kind: 'unknown', reason: 'HTTP 500' });
    assert.deepEqual(await ask(other), { kind: 'not_found' });
  });

  it('an STP order that is sent twice is executed once', async () => {
    const sent = bench.order();
    await rail.send(sent, noDeadline());
    const again = await rail.send(sent, noDeadline());
    assert.deepEqual(again, { kind: 'unknown', reason: 'STP has an order under this claveRastreo' });
    bench.clock.advance(2_000);
    assert.deepEqual(await askUntil(sent, 'executed'), { kind: 'executed' });
    assert.deepEqual([await taken(), await settled()], [1, 1]);
  });

  const refusals: readonly (readonly [
    what: string,
    beneficiary: Record<string, string>,
    blocked: string,
    why: RegExp,
  ])[] = [
    ['the account is of another bank', { institution: '40002' }, 'invalid_beneficiary', /no coincide/],
    ['the bank is not a participant', { institution: '40999' }, 'invalid_beneficiary', /no es valida/],
    ['the money came to a foreign CLABE', { paid_to: '012180015000000000' }, 'bank_declined', /no existe/],
  ];
  for (const [what, beneficiary, blocked, why] of refusals) {
    it(`an STP order is declined by STP if ${what}`, async () => {
      const answer = await rail.send(bench.order({}, beneficiary), noDeadline());
      assert.ok(answer.kind === 'declined');
      assert.equal(answer.blockedReason, blocked);
      assert.match(answer.reason, why);
      assert.equal(await taken(), 0);
    });
  }

  const impossible: readonly (readonly [what: string, beneficiary: Record<string, string>, blocked: string])[] = [
    ['no account', { account: '' }, 'invalid_beneficiary'],
    ['an account of five digits', { account: '12345' }, 'invalid_beneficiary'],
    ['a CLABE with a wrong check digit', { account: '012180015000000001' }, 'invalid_beneficiary'],
    ['an account with letters', { account: '01218001500000000A' }, 'invalid_beneficiary'],
    ['no bank', { institution: '' }, 'invalid_beneficiary'],
    ['a bank of three digits', { institution: '012' }, 'invalid_beneficiary'],
    ['no receiving CLABE', { paid_to: '' }, 'unspecified'],
  ];
  for (const [what, beneficiary, blocked] of impossible) {
    it(`an STP order with ${what} is declined without a call to STP`, async () => {
      await stp.control('faults', { down: true });
      const answer = await rail.send(bench.order({}, beneficiary), noDeadline());
      assert.equal(answer.kind === 'declined' && answer.blockedReason, blocked);
    });
  }

  it('STP does not accept an order signed with an unregistered key', async () => {
    const stranger = bench.connect(stp.url, { privateKeyFile: join(bench.folder, 'another-private-key.pem') });
    const sent = bench.order();
    assert.deepEqual(await stranger.rail.send(sent, noDeadline()), {
      kind: 'not_accepted',
      reason: 'STP refuses our signature: Error validando la firma',
    });
    assert.deepEqual(stranger.refusedCredentials, ['stp']);
    assert.deepEqual(await stranger.rail.ask(sent, noDeadline()), {
      kind: 'unknown',
      reason: 'HTTP 400 Firma invalida',
    });
    assert.deepEqual(stranger.refusedCredentials, ['stp', 'stp']);
    await stranger.rails.close();
  });

  it('an STP order without a readable key is not sent and not accepted', async () => {
    const keyless = bench.connect(stp.url, { privateKeyFile: join(bench.folder, 'nowhere.pem'), simulated: false });
    assert.equal((await keyless.rail.send(bench.order(), noDeadline())).kind, 'not_accepted');
    assert.equal((await keyless.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    assert.equal(await taken(), 0);
    await keyless.rails.close();
  });

  it('a dropped connection leaves the outcome of an STP order unknown; a refused connection means that STP did not accept it', async () => {
    await stp.control('faults', { down: true });
    assert.equal((await rail.send(bench.order(), noDeadline())).kind, 'unknown');
    assert.equal((await rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    const nobody = bench.connect('http://127.0.0.1:1');
    const answer = await nobody.rail.send(bench.order(), noDeadline());
    assert.deepEqual(answer, { kind: 'not_accepted', reason: 'no connection: ECONNREFUSED' });
    assert.equal((await nobody.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    await nobody.rails.close();
  });

  it('the STP rail sends orders to one host and status queries to another', async () => {
    const apart = bench.connect('http://127.0.0.1:1', { ordersUrl: stp.url });
    const sent = bench.order();
    assert.deepEqual(await apart.rail.send(sent, noDeadline()), { kind: 'pending' });
    assert.equal((await apart.rail.ask(sent, noDeadline())).kind, 'unknown');
    await apart.rails.close();
    assert.deepEqual(await ask(sent), { kind: 'pending' });
  });

  // STP finds an order only under its operation date, and a current order only without a date.
  const later: readonly (readonly [sentAfterMs: number, askedAfterMs: number, how: string])[] = [
    [0, 5 * HOUR_MS, 'the same day'],
    [6 * HOUR_MS - MINUTE_MS, 2 * MINUTE_MS, 'across the end of Friday’s operation date'],
    [6 * HOUR_MS + MINUTE_MS, HOUR_MS, 'on Friday evening, which is Monday already'],
    [6 * HOUR_MS + MINUTE_MS, 4 * DAY_MS, 'sent on Friday evening, asked on Tuesday'],
    [0, 3 * DAY_MS, 'over the weekend'],
    [DAY_MS, 2 * DAY_MS, 'sent on Saturday, asked on Monday'],
    [0, 20 * DAY_MS, 'after weeks'],
  ];
  for (const [sentAfterMs, askedAfterMs, how] of later) {
    it(`a status query finds an executed STP order ${how}`, async () => {
      const sinceFriday = (bench.clock.now() - FRIDAY_NOON) % (7 * DAY_MS);
      bench.clock.advance(7 * DAY_MS - sinceFriday + sentAfterMs);
      const [sent, never] = [bench.order(), bench.order()];
      assert.deepEqual(await rail.send(sent, noDeadline()), { kind: 'pending' });
      bench.clock.advance(askedAfterMs);
      assert.deepEqual(await askUntil(sent, 'executed'), { kind: 'executed' });
      assert.deepEqual(await ask(never), { kind: 'not_found' });
    });
  }

  it('a status query finds an STP order that a restore lost, on an operation date before the restore', async () => {
    const sent = bench.order();
    const writtenFrom = bench.clock.now();
    assert.deepEqual(await rail.send(sent, noDeadline()), { kind: 'pending' });
    bench.clock.advance(3 * DAY_MS);
    const repeated = { ...sent, sendUntil: bench.clock.now(), writtenFrom };
    assert.deepEqual(await askUntil(repeated, 'executed'), { kind: 'executed' });
  });
});
