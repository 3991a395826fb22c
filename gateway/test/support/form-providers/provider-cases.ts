/** Runs the cases of each rail one after the other, and the rails side by side: what one provider does is no other's matter. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormVisit, Standing } from './form-visit.ts';
import type { ProviderStage } from './provider-stage.ts';
import { RAIL_NAMES, type RailName } from './providers.ts';

export interface ProviderCase {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What the merchant has before. */
  readonly funds?: string;
  readonly play: (visit: FormVisit, stage: ProviderStage) => Promise<unknown>;
  /** How the provider's first answer was understood, where that matters: `unknown`, `step`, … */
  readonly starts?: string;
  readonly ends: Standing;
}

/** Where one visit is not all of it. */
export interface ProviderTest {
  readonly name: string;
  readonly run: (stage: ProviderStage, rail: RailName) => Promise<unknown>;
}

export type RailCases = { readonly [Name in RailName]: readonly (ProviderCase | ProviderTest)[] };

/** What the gateway does the same way at every provider: in the core run it is played at two of them, in the full run at all. */
export function inFullRun<Case>(...cases: readonly Case[]): readonly Case[] {
  return process.env['TEST_FULL'] ? cases : [];
}

export function describeRails(name: string, stage: () => ProviderStage, cases: RailCases): void {
  describe(name, { concurrency: RAIL_NAMES.length }, () => {
    for (const rail of RAIL_NAMES) {
      describe(rail, { concurrency: 1 }, () => {
        for (const each of cases[rail]) {
          it(`${each.name} (${rail})`, async () =>
            void (await ('run' in each ? each.run(stage(), rail) : play(stage(), rail, each))));
        }
      });
    }
  });
}

async function play(stage: ProviderStage, rail: RailName, each: ProviderCase): Promise<void> {
  const { settings, funds, starts, ends } = each;
  const visit = await stage.visit(rail, settings, funds);
  await each.play(visit, stage);
  await visit.ends(ends);
  if (starts === undefined) return;
  const first = visit.calls().find((call) => call.startsWith('start'));
  assert.equal(first, `start ${starts}`);
}
