/** Cases that several providers share: attempts that a payer ends, and attempts whose order or response is lost. */
import assert from 'node:assert/strict';
import { type FormVisit, failed, open, PAID, type Standing } from './form-visit.ts';
import type { ProviderCase, ProviderTest } from './provider-cases.ts';

export async function pay(visit: FormVisit, behaviour?: string): Promise<void> {
  await visit.submit();
  await visit.act(behaviour);
}

export const PAYS: ProviderCase = {
  name: 'a payer pays',
  play: (visit: FormVisit) => pay(visit),
  starts: 'step',
  ends: PAID,
};

/** The last attempt was paid. */
export const paidAfter = (...attempts: readonly string[]): Standing => ({ ...PAID, attempts: [...attempts, 'paid'] });

/** The payer declines or fails the first attempt, and pays with the second. */
export function refusedAtFirst(behaviour: string, refusal: string): ProviderCase {
  return {
    name: `a payer sees refusal ${refusal} after "${behaviour}" and pays with the second attempt`,
    async play(visit) {
      await visit.submit();
      await visit.act(behaviour);
      await visit.until('refused');
      await visit.look();
      await visit.again();
      await visit.act();
    },
    ends: paidAfter(`refused ${refusal}`),
  };
}

export type Faults = Readonly<Record<string, unknown>>;

/** The provider accepted the order but returned no usable response. The payer still sees the next step and pays once. */
export function acceptedUnanswered(faults: Faults): ProviderCase {
  return {
    name: `a payer pays once if the provider accepts the order without a usable response: ${JSON.stringify(faults)}`,
    async play(visit) {
      await visit.under(faults, () => visit.submit());
      await visit.until('acting');
      await visit.act();
    },
    starts: 'unknown',
    ends: PAID,
  };
}

/** The provider responds to the retried call, so the payer notices nothing. */
export function answeredAgain(faults: Faults): ProviderCase {
  return {
    name: `a payer pays once when the gateway had to retry the call: ${JSON.stringify(faults)}`,
    async play(visit) {
      await visit.under(faults, () => visit.submit());
      await visit.act();
    },
    starts: 'step',
    ends: PAID,
  };
}

/**
 * The provider did not accept the order, or no payer could have acted on it. The attempt stays unknown until that is
 * proved. Then the payer may retry.
 */
export function lost(...faults: readonly Faults[]): ProviderTest {
  return {
    name: `a payer may retry once the gateway has proved that the provider lost the order: ${JSON.stringify(faults)}`,
    async run(stage, rail) {
      const visits: FormVisit[] = [];
      for (const each of faults) {
        const visit = await stage.visit(rail);
        await visit.under(each, async () => {
          await visit.submit();
          // A slow machine may prove the loss before a test can see the unknown attempt.
          assert.ok(visit.calls().includes('start unknown'), visit.calls().join(', '));
        });
        visits.push(visit);
      }
      await Promise.all(visits.map(tryAgain));
    },
  };
}

async function tryAgain(visit: FormVisit): Promise<void> {
  await visit.until('refused');
  await visit.look();
  await visit.again();
  await visit.act();
  await visit.ends(paidAfter('refused declined'));
}

/** The provider declines before the payer acts. */
export function refusedAtOnce(faults: Faults, refusal: string): ProviderCase {
  return {
    name: `a payer is refused immediately and pays with the second attempt: ${JSON.stringify(faults)}`,
    async play(visit) {
      await visit.under(faults, () => visit.submit());
      await visit.look();
      await visit.again();
      await visit.act();
    },
    ends: paidAfter(`refused ${refusal}`),
  };
}

export function refusedForGood(faults: Faults, refusal: string): ProviderCase {
  return {
    name: `a payer is refused and may not start another attempt: ${JSON.stringify(faults)}`,
    play: (visit) => visit.under(faults, () => visit.submit()),
    ends: open(`refused ${refusal}`),
  };
}

/** The provider declines the last permitted attempt, and the gateway calls the merchant back. */
export const lastTry = (behaviour: string, refusal: string): ProviderCase => ({
  name: 'a deposit fails when the last permitted attempt is refused',
  settings: { form_attempts: '1' },
  play: (visit) => pay(visit, behaviour),
  ends: failed('declined', `refused ${refusal}`),
});
