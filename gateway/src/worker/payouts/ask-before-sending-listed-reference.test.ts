/** A payout is queried instead of sent while a provider lists its reference and the gateway does not know the payout. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { openTwoBankStage, type TwoBankStage } from '../../../test/support/payouts/two-bank-stage.ts';
import { untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import { SECOND_MS } from '../../foundation/clock.ts';

let bench: PayoutBench;
let inScene: TwoBankStage['inScene'];
let recorded: TwoBankStage['recorded'];

before(async () => {
  ({ bench, inScene, recorded } = await openTwoBankStage());
});
after(() => bench.verifyAndClose());

const isFirst = ({ rail }: RailReference) => rail.startsWith('first');

describe('a listed reference without a payout', () => {
  it('a payout with a reference that a provider listed is queried instead of sent', () =>
    inScene(
      async ({ first, ...scene }) => {
        first.script.ask = async () => ({ kind: 'executed' });
        await scene.accept('listed');
        await scene.until('listed', 'success');
        assert.deepEqual(first.sent, []);
      },
      { recovery: () => recorded(undefined), unaccounted: async (references) => references().filter(isFirst) },
    ));

  it('no rail sends a payout with a listed reference, even when the bank does not find it', () =>
    inScene(
      async ({ first, second, ...scene }) => {
        await scene.accept('contradicted');
        assert(await untilAsTimeGoesBy(bench.clock, 10 * SECOND_MS, () => first.asked.length > 5));
        assert.deepEqual([first.sent, second.sent], [[], []]);
        assert.match((await scene.noteOf('contradicted')) ?? '', /lists it, but a query does not find it/);
        first.script.ask = async () => ({ kind: 'executed' });
        await scene.until('contradicted', 'success');
      },
      { recovery: () => recorded(undefined), unaccounted: async (references) => references().filter(isFirst) },
    ));

  for (const [whose, methods] of [
    ['another rail', new Set([9])],
    ['a rail of another method', new Set([999])],
  ] as const)
    it(`a reference listed by ${whose} stops the send, and the rail queries its bank`, () =>
      inScene(
        async ({ first, second, ...scene }) => {
          const payoutId = `listed-by ${whose}`.replaceAll(' ', '-');
          second.script.ask = async () => ({ kind: 'executed' });
          await scene.accept(payoutId);
          await scene.until(payoutId, 'success');
          assert.deepEqual([first.sent, second.sent, first.asked], [[], [], []]);
          const payout = await bench.store.find({ merchantId: 'm', payoutId });
          assert.equal(payout?.rail, second.rail.name);
        },
        {
          recovery: () => recorded(undefined),
          unaccounted: async (references) => references().filter((one) => !isFirst(one)),
        },
        { methods },
      ));
});
