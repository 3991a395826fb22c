/** Runs payouts against VoPay's simulator with each of its faults. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { Secret } from '../../foundation/secret.ts';
import { openVoPayUnderTest, type VoPayUnderTest } from './rail-under-test.ts';

let bench: VoPayUnderTest;
before(async () => {
  bench = await openVoPayUnderTest();
});
beforeEach(() => bench.reset());
after(() => bench.close());

const cad = (minor: bigint): Money => ({ currency: 'CAD', minor });
const send = (order: PayoutOrder, deadline = noDeadline()) => bench.payouts.send(order, deadline);
const ask = (order: PayoutOrder) => bench.payouts.ask(order, noDeadline());
const faults = (which: object) => bench.control('faults', which);
const deposit = ({ reference }: PayoutOrder, how: object = {}) =>
  bench.control('deposit', { reference: `P${reference}`, ...how });
/** Moves the clock, and returns when the simulator has processed everything that became due. */
async function pass(ms: number): Promise<void> {
  bench.clock.advance(ms);
  await bench.control('summary');
}
const entriesOf = ({ entries }: Record<string, unknown>, kind: string) =>
  (entries as readonly { kind: string }[]).filter((entry) => entry.kind === kind);
const payouts = async () => (await bench.control('summary'))['payouts'];

const pending = { kind: 'pending' };
const executed = { kind: 'executed' };
const declined = (blockedReason: string, reason: string) => ({
  kind: 'declined',
  blockedReason,
  reason: `VoPay reports ${reason}`,
});

describe('payouts over VoPay', () => {
  it('a payout over VoPay is pending until the recipient deposits it', async () => {
    const order = bench.payout();
    assert.deepEqual(await send(order), pending);
    assert.deepEqual(await ask(order), pending);
    await pass(500);
    assert.deepEqual(await ask(order), pending);
    await pass(SECOND_MS);
    assert.deepEqual(await ask(order), executed);
    const { payouts_deposited: deposited, paid_out_amount: amount } = await bench.control('summary');
    assert.deepEqual([deposited, amount], [1, '100.00']);
  });

  it('a VoPay payout waits for the recipient’s security answer, and only the correct answer executes it', async () => {
    const order = bench.payout({ money: cad(10_050n) });
    await send(order);
    await deposit(order, { answer: '000000' });
    assert.deepEqual(await ask(order), pending);
    await deposit(order, { answer: '550123' });
    assert.deepEqual(await ask(order), executed);
  });

  const ends: readonly (readonly [string, bigint, (order: PayoutOrder) => unknown, object])[] = [
    [
      'fails immediately',
      10_005n,
      () => {},
      declined('bank_declined', 'failed 7: the recipient’s bank does not accept it'),
    ],
    [
      'fails after it was sent',
      10_015n,
      () => {},
      declined('invalid_beneficiary', 'failed 8: there is no such account'),
    ],
    ['is cancelled immediately', 10_035n, () => {}, declined('cancelled', 'cancelled 6: VoPay cancelled it by hand')],
    [
      'is cancelled before its deposit',
      10_045n,
      () => {},
      declined('cancelled', 'cancelled 6: VoPay cancelled it by hand'),
    ],
    [
      'is declined',
      10_055n,
      (order) => deposit(order, { decline: true }),
      declined('unspecified', 'failed 1: the recipient declined it'),
    ],
    [
      'is left unclaimed',
      10_055n,
      () => pass(30 * DAY_MS),
      declined('expired', 'cancelled 3: no one deposited it in time'),
    ],
    [
      'is not answered rightly',
      10_055n,
      async (order) => {
        for (const answer of ['x1', 'x2', 'x3']) await deposit(order, { answer });
      },
      declined('invalid_beneficiary', 'failed 2: the recipient gave a wrong security answer'),
    ],
  ];
  for (const [what, minor, act, end] of ends) {
    it(`a VoPay payout that ${what} is declined with the matching code`, async () => {
      const order = bench.payout({ money: cad(minor) });
      await send(order);
      await pass(SECOND_MS);
      await act(order);
      await pass(2 * SECOND_MS);
      assert.deepEqual(await ask(order), end);
      assert.equal((await bench.control('summary'))['available'], '1000000.00');
    });
  }

  it('the VoPay rail also accepts the payout statuses of VoPay’s list of events', async () => {
    await faults({ wording: 'events' });
    const order = bench.payout();
    await send(order);
    await pass(500);
    assert.deepEqual(await ask(order), pending);
    await pass(SECOND_MS);
    assert.deepEqual(await ask(order), executed);
    const unclaimed = bench.payout({ money: cad(10_055n) });
    await send(unclaimed);
    await deposit(unclaimed, { expire: true });
    assert.deepEqual(await ask(unclaimed), declined('expired', 'expired 3: no one deposited it in time'));
  });
});

describe('payouts that VoPay holds as duplicates', () => {
  const twin = async () => {
    const first = bench.payout();
    await send(first);
    const { reference, remittance } = bench.payout();
    return { ...first, reference, remittance };
  };

  it('a VoPay payout held as a duplicate is confirmed immediately and executed', async () => {
    const second = await twin();
    assert.deepEqual(await send(second), pending);
    await pass(500);
    await pass(SECOND_MS);
    assert.deepEqual(await ask(second), executed);
    assert.equal(await payouts(), 2);
  });

  /** VoPay holds it, because the response to its flag was lost. */
  const held = async () => {
    const second = await twin();
    await faults({ confirmations: 'lose' });
    await send(second, deadlineAfter(300));
    await faults({ confirmations: 'accept' });
    await pass(MINUTE_MS);
    return second;
  };
  const confirmed = async () => entriesOf(await bench.control('book'), 'confirmed').length;
  const note = (id: number) => ({ kind: 'pending', note: `VoPay holds ${id}: duplicate` });

  it('a status query that may confirm a VoPay payout confirms it if the first confirmation was lost', async () => {
    const second = await held();
    assert.deepEqual(await ask({ ...second, mayConfirm: true }), pending);
    await pass(500);
    await pass(SECOND_MS);
    assert.deepEqual(await ask(second), executed);
  });

  it('a status query reports that VoPay holds the payout and does not confirm it, unless it may confirm', async () => {
    const second = await held();
    for (const order of [second, { ...second, mayConfirm: false }]) {
      assert.deepEqual(await ask(order), note(4_370_002));
      await pass(DAY_MS);
    }
    assert.deepEqual([await confirmed(), (await bench.control('summary'))['payouts_deposited']], [0, 1]);
  });

  it('the gateway does not confirm a second copy of a payout whose key VoPay dropped, so the recipient is paid once', async () => {
    const order = bench.payout();
    await send(order);
    await faults({ repetitions: 'forget' });
    assert.deepEqual(await send(order), note(4_370_002));
    await pass(500);
    await pass(SECOND_MS);
    const { kind } = await ask({ ...order, mayConfirm: true });
    const { payouts: made, payouts_deposited: paid, paid_out_over_once: twice } = await bench.control('summary');
    assert.deepEqual([kind, made, paid, twice, await confirmed()], ['unknown', 2, 1, [], 0]);
  });

  it('a payout that VoPay lists has an unknown outcome while VoPay does not find it by its reference', async () => {
    const order = bench.payout();
    await send(order);
    await faults({ look_ups: 'not_yet' });
    assert.equal((await ask(order)).kind, 'unknown');
  });
});

describe('faults of VoPay’s payouts', () => {
  const unsaid: readonly (readonly [mode: string, isTaken: boolean])[] = [
    ['accept_unanswered', true],
    ['accept_500', true],
    ['accept_and_answer_error', true],
    ['lose', false],
    ['answer_error', false],
  ];
  for (const [mode, isTaken] of unsaid) {
    it(`a status query finds the outcome of an unanswered VoPay payout (${mode})`, async () => {
      await faults({ payouts: mode });
      const order = bench.payout();
      assert.equal((await send(order, deadlineAfter(300))).kind, 'unknown');
      assert.deepEqual(await ask(order), isTaken ? pending : { kind: 'not_found' });
      assert.equal(await payouts(), isTaken ? 1 : 0);
    });
  }

  it('a rejected VoPay payout is declined only after VoPay confirms that it has no such payout', async () => {
    await faults({ payouts: 'refuse' });
    const answer = await send(bench.payout());
    assert.deepEqual(
      [answer.kind, answer.kind === 'declined' && answer.blockedReason],
      ['declined', 'invalid_beneficiary'],
    );
    await faults({ payouts: 'refuse', look_ups: 'answer_error' });
    assert.equal((await send(bench.payout())).kind, 'unknown');
  });

  it('the balance decides whether VoPay’s error number means a limit or a short balance', async () => {
    await faults({ payouts: 'over_limit' });
    const limited = await send(bench.payout());
    assert.deepEqual(
      [limited.kind, limited.kind === 'declined' && limited.blockedReason],
      ['declined', 'limit_or_risk'],
    );
    await faults({ payouts: 'accept', empty: true });
    const order = bench.payout();
    const short = await send(order);
    assert.equal(short.kind, 'not_accepted');
    assert.match('reason' in short ? String(short.reason) : '', /3001.*our balance there is too low/);
    await faults({ empty: false });
    assert.deepEqual(await send(order), pending);
  });

  it('a payout that VoPay does not permit is not accepted, and the hook reports the credential', async () => {
    await faults({ payouts: 'not_enabled' });
    const alarms = bench.refusedCredentials.length;
    assert.equal((await send(bench.payout())).kind, 'not_accepted');
    assert.equal(bench.refusedCredentials.length, alarms + 1);
  });

  it('a VoPay payout repeated under one key pays once, whether VoPay accepts or rejects the repeat', async () => {
    const order = bench.payout();
    await send(order);
    assert.deepEqual(await send(order), pending);
    await faults({ repetitions: 'refuse' });
    assert.equal((await send(order)).kind, 'unknown');
    assert.equal(await payouts(), 1);
  });

  it('a dropped connection to VoPay leaves the outcomes of payout, query and balance unknown', async () => {
    await faults({ down: true });
    assert.equal((await send(bench.payout())).kind, 'unknown');
    assert.equal((await ask(bench.payout())).kind, 'unknown');
    assert.equal((await bench.float.read(noDeadline())).ok, false);
  });

  it('a payout near VoPay’s midnight is signed for the other day and accepted once', async () => {
    await faults({ day_shift_min: 12 * 60 });
    assert.deepEqual(await send(bench.payout()), pending);
    assert.equal(await payouts(), 1);
  });
});

it('a VoPay payout with an invalid credential is not accepted, and the rail reports the credential', async () => {
  const wrong = bench.connect({ sharedSecret: new Secret('another') });
  const order = bench.payout();
  assert.equal((await wrong.payouts.send(order, noDeadline())).kind, 'not_accepted');
  assert.equal((await wrong.payouts.ask(order, noDeadline())).kind, 'unknown');
  assert.deepEqual(wrong.refusedCredentials, ['vopay', 'vopay']);
  assert.deepEqual(await ask(order), { kind: 'not_found' });
  await wrong.close();
});

describe('VoPay’s balance and list', () => {
  it('the VoPay float reader returns the balance left for payouts', async () => {
    await send(bench.payout());
    const left = (minor: bigint) => ({ ok: true, value: [cad(minor)] });
    assert.deepEqual(await bench.float.read(noDeadline()), left(99_990_000n));
    await faults({ empty: true });
    assert.deepEqual(await bench.float.read(noDeadline()), left(0n));
  });

  it('the VoPay lister returns the payouts of a day with their states, without payments', async () => {
    const [paid, waiting, failed] = [cad(10_000n), cad(10_055n), cad(10_005n)].map((money) => bench.payout({ money }));
    for (const order of [paid, waiting, failed]) await send(order ?? assert.fail());
    await bench.rail.start(bench.order(), null, noDeadline());
    await pass(500);
    await pass(SECOND_MS);
    const day = bench.lister.dayOf(bench.clock.now());
    const { payouts: listed, unreadable } = await bench.lister.payoutsOf(day, AbortSignal.timeout(5_000));
    assert.deepEqual(unreadable, []);
    assert.deepEqual(
      listed.map(({ reference, money, state }) => [reference, money.minor, state]),
      [
        [paid?.reference, 10_000n, 'executed'],
        [waiting?.reference, 10_055n, 'pending'],
        [failed?.reference, 10_005n, 'declined'],
      ],
    );
    const before = bench.lister.dayOf(bench.clock.now() - DAY_MS);
    assert.deepEqual((await bench.lister.payoutsOf(before, AbortSignal.timeout(5_000))).payouts, []);
  });

  it('the VoPay lister rejects a partial list', async () => {
    await faults({ look_ups: 'answer_error' });
    await assert.rejects(bench.lister.payoutsOf('2026-11-20', AbortSignal.timeout(5_000)), { name: 'ListIncomplete' });
  });
});
