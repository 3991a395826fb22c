/** Chargebacks of held money whose return is in flight or failed, and returns that their bank executes late. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { heldMoneyOf } from '../../../../test/support/form/held-money.ts';
import { type LaterScene, openLaterScene } from '../../../../test/support/form/later-scene.ts';

let scene: LaterScene;

before(async () => {
  scene = await openLaterScene();
});

after(() => scene.verifyAndClose());

const { held, transferOf, movedTo, suspense, transferStateOf, brokenNames, openDifferences } = heldMoneyOf(() => scene);

describe('a chargeback that is reversed while the rest of the held money is being returned', () => {
  /** 10.00 of 90.00 EUR was charged back and is reversed while the return of 80.00 EUR is in flight. */
  async function undoneInFlight(merchantId: string) {
    const attempt = await held(merchantId);
    await scene.adjustBy(attempt, 'charged_back', 'D1', 1_000n);
    const returning = await scene.returned(transferOf(attempt));
    await scene.sent({ ...returning, rail: attempt.rail });
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 1_000n), 'excess');
    assert.equal(await suspense(merchantId), 0n);
    await scene.collectExcess();
    const difference = `excess ${attempt.reference}/chargeback_undone/D1`;
    assert.ok((await openDifferences()).includes(difference));
    return { attempt, returning, difference };
  }

  it('the money of a reversed chargeback is held again after the return of the rest failed', async () => {
    const { attempt, returning, difference } = await undoneInFlight('return-failed');
    await scene.ends(returning, 'declined');
    assert.deepEqual(await brokenNames(), [], 'between the decline and the next run');
    await scene.collectExcess();
    await scene.collectExcess();
    assert.deepEqual([await suspense('return-failed'), await transferStateOf(attempt)], [9_000n, ['held', 9_000n]]);
    assert.ok(!(await openDifferences()).includes(difference));
    assert.deepEqual(await scene.events('return-failed'), []);
  });

  it('the money of a reversed chargeback goes to the merchant that received the rest of the payment', async () => {
    const { attempt, returning } = await undoneInFlight('return-failed-credited');
    await scene.ends(returning, 'declined');
    await movedTo(attempt, 'rest-owner');
    await scene.collectExcess();
    assert.deepEqual(await scene.money('rest-owner'), [9_000n, 0n, 0n]);
    const events = (await scene.events('rest-owner')).map(({ type, amount }) => [type, amount]);
    assert.deepEqual(events, [['deposit.chargeback_undone', '10.00']]);
  });

  it('a reversed chargeback of returned money does not move anything and stays a difference for the operator', async () => {
    const { returning, difference } = await undoneInFlight('return-executed');
    await scene.ends(returning, 'executed');
    await scene.collectExcess();
    assert.equal(await suspense('return-executed'), 0n);
    assert.ok((await openDifferences()).includes(difference));
  });

  it('a reversed chargeback does not move money after a user resolved its difference', async () => {
    const { returning, difference } = await undoneInFlight('return-decided');
    const open = (await scene.differences.list({ rail: null, day: null, kind: 'excess', openOnly: true })).find(
      ({ subject }) => difference.endsWith(subject),
    );
    assert.ok(open);
    await scene.differences.resolve(open, 'Ann', 'booked by hand', scene.bench.clock.now());
    await scene.ends(returning, 'declined');
    await scene.collectExcess();
    assert.equal(await suspense('return-decided'), 8_000n);
  });

  it('a reversed chargeback of a higher amount than the chargeback keeps its difference after its money is held again', async () => {
    const attempt = await held('undone-too-much');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 1_000n);
    const returning = await scene.returned(transferOf(attempt));
    await scene.sent({ ...returning, rail: attempt.rail });
    await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 1_500n);
    await scene.ends(returning, 'declined');
    await scene.collectExcess();
    assert.equal(await suspense('undone-too-much'), 9_000n);
    assert.ok((await openDifferences()).includes(`excess ${attempt.reference}/chargeback_undone/D1`));
  });
});

describe('a return that is executed late, after its held money changed', () => {
  /** Two payments of 90.00 EUR are held, and one of them is being returned. */
  async function returnInFlight(merchantId: string) {
    const other = await held(merchantId);
    const attempt = await held(merchantId);
    const returning = await scene.returned(transferOf(attempt));
    await scene.sent({ ...returning, rail: attempt.rail });
    return { other, attempt, returning };
  }

  it('the merchant pays a late return whose money was charged back in part, and other held money stays', async () => {
    const { other, attempt, returning } = await returnInFlight('late-part');
    await scene.ends(returning, 'declined');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n);
    await scene.ends(returning, 'executed');
    assert.deepEqual([await suspense('late-part'), await scene.money('late-part')], [14_000n, [0n, 0n, -9_000n]]);
    assert.deepEqual(await transferStateOf(attempt), ['held', 5_000n]);
    assert.deepEqual(await transferStateOf(other), ['held', 9_000n]);
    await movedTo(attempt, 'late-part');
    assert.deepEqual([await suspense('late-part'), await scene.money('late-part')], [9_000n, [0n, 0n, -4_000n]]);
    await scene.ends(returning, 'reversed');
    assert.deepEqual(await scene.money('late-part'), [5_000n, 0n, 0n]);
  });

  it('the merchant pays a late return whose money was charged back completely', async () => {
    const { attempt, returning } = await returnInFlight('late-all');
    await scene.ends(returning, 'declined');
    await scene.adjustBy(attempt, 'charged_back', 'D1', null);
    await scene.ends(returning, 'executed');
    assert.deepEqual([await suspense('late-all'), await scene.money('late-all')], [9_000n, [0n, 0n, -9_000n]]);
    assert.deepEqual(await transferStateOf(attempt), ['taken_back', 0n]);
  });

  it('the merchant pays a late return whose chargeback was reversed after the return failed', async () => {
    const attempt = await held('late-undone');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n);
    const returning = await scene.returned(transferOf(attempt));
    await scene.sent({ ...returning, rail: attempt.rail });
    await scene.ends(returning, 'declined');
    await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 4_000n);
    await scene.ends(returning, 'executed');
    assert.deepEqual([await suspense('late-undone'), await scene.money('late-undone')], [9_000n, [0n, 0n, -5_000n]]);
    assert.deepEqual(await transferStateOf(attempt), ['held', 9_000n]);
  });

  it('a second return pays all held money although a chargeback took part of the payment during the first return', async () => {
    const { attempt, returning } = await returnInFlight('late-second');
    await scene.ends(returning, 'declined');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n);
    const second = await scene.returned(transferOf(attempt));
    await scene.sent({ ...second, rail: attempt.rail });
    await scene.ends(second, 'executed');
    assert.deepEqual(await transferStateOf(attempt), ['returned', 5_000n]);
    assert.equal(await suspense('late-second'), 9_000n);
  });
});
