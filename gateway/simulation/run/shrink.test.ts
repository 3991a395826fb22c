import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawPlan, type Operation, type Plan } from './plan.ts';
import { shrinkPlan } from './shrink.ts';

const BIG = drawPlan('1', 60);
const QUIET = { trials: 1_000, onShorter: () => {} };

const allOf = ({ episodes }: Plan): Operation[] => episodes.flatMap(({ operations }) => operations);
const has = (plan: Plan, kind: Operation['kind']) => allOf(plan).some((operation) => operation.kind === kind);

describe('the shrinker of failing plans', () => {
  it('the shrinker keeps only the two operations that fail together', async () => {
    const fails = async (plan: Plan) => has(plan, 'kill') && has(plan, 'deposits');
    assert.equal(await fails(BIG), true);
    const least = await shrinkPlan(BIG, fails, QUIET);
    assert.deepEqual(
      allOf(least)
        .map(({ kind }) => kind)
        .toSorted(),
      ['deposits', 'kill'],
    );
  });

  it('the shrinker halves the payments of an operation as long as the plan still fails', async () => {
    const payouts = (plan: Plan) =>
      allOf(plan).reduce((sum, operation) => sum + (operation.kind === 'payouts' ? operation.count : 0), 0);
    const least = await shrinkPlan(BIG, async (plan) => payouts(plan) >= 3, QUIET);
    assert.ok(payouts(least) >= 3 && payouts(least) < 6, `${payouts(least)} payouts are left`);
  });

  it('the shrinker removes every episode except the failing episode and does not change anything else in the plan', async () => {
    const wanted = BIG.episodes[2];
    assert.ok(wanted);
    const fails = async ({ episodes }: Plan) => episodes.some(({ day }) => day === wanted.day);
    const { episodes, ...rest } = await shrinkPlan(BIG, fails, QUIET);
    assert.deepEqual(
      episodes.map(({ day }) => day),
      [wanted.day],
    );
    const { episodes: _, ...before } = BIG;
    assert.deepEqual(rest, before);
  });

  it('the shrinker runs at most its limit of plans and reports each shorter plan that fails', async () => {
    let played = 0;
    const shorter: Plan[] = [];
    const fails = async (plan: Plan) => {
      played += 1;
      return has(plan, 'payouts');
    };
    const least = await shrinkPlan(BIG, fails, { trials: 7, onShorter: (plan) => void shorter.push(plan) });
    assert.equal(played, 7);
    assert.equal(shorter.at(-1), least);
    assert.ok(shorter.every((plan) => has(plan, 'payouts')));
  });

  it('the shrinker returns the original plan when no shorter plan fails', async () => {
    assert.equal(await shrinkPlan(BIG, async () => false, QUIET), BIG);
  });
});
