/** Runs the cases of each rail sequentially, and the rails in parallel, because providers are independent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FormVisit, type Standing, TooSlow } from './form-visit.ts';
import type { ProviderStage } from './provider-stage.ts';
import { RAIL_NAMES, type RailName } from './providers.ts';

export interface ProviderCase {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** The merchant's initial balance. */
  readonly funds?: string;
  readonly play: (visit: FormVisit, stage: ProviderStage) => Promise<unknown>;
  /** The outcome of the provider's first response, if relevant, such as `unknown` or `step`. */
  readonly starts?: string;
  readonly ends: Standing;
}

/** A test with more than one visit. */
export interface ProviderTest {
  readonly name: string;
  readonly run: (stage: ProviderStage, rail: RailName) => Promise<unknown>;
}

export type RailCases = { readonly [Name in RailName]: readonly (ProviderCase | ProviderTest)[] };

/**
 * Selects cases whose behaviour is the same at every provider, or whose responses the rail's own tests cover with the same
 * simulator. The core run tests one or two providers, the full run all.
 */
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

const SLOW_ROUNDS = 10;

/** Runs the case, with a new visit if the machine was too slow for it. */
async function playInTime(stage: ProviderStage, rail: RailName, each: ProviderCase): Promise<FormVisit> {
  for (let round = 1; ; round++) {
    const visit = await stage.visit(rail, each.settings, each.funds);
    try {
      await each.play(visit, stage);
      return visit;
    } catch (error) {
      if (!(error instanceof TooSlow) || round === SLOW_ROUNDS) throw error;
    }
  }
}

async function play(stage: ProviderStage, rail: RailName, each: ProviderCase): Promise<void> {
  const { starts, ends } = each;
  const visit = await playInTime(stage, rail, each);
  await visit.ends(ends);
  if (starts === undefined) return;
  const first = visit.calls().find((call) => call.startsWith('start'));
  assert.equal(first, `start ${starts}`);
}
