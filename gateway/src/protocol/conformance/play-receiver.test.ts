/** `gateway conform` against a receiver with planted faults, over real HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  KEYS,
  PLANTED,
  type PlantedReceiver,
  startPlantedReceiver,
} from '../../../test/support/servers/planted-receiver.ts';
import type { ConformanceRequest, ConformanceResult } from '../../domain/conformance/conformance.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { playReceiver } from './play-receiver.ts';

let receiver: PlantedReceiver;
before(async () => {
  receiver = await startPlantedReceiver();
});
after(() => receiver.close());

function play(fault: string): Promise<readonly ConformanceResult[]> {
  const asked: ConformanceRequest = {
    url: receiver.url(fault, 'callback'),
    eventUrl: receiver.url(fault, 'event'),
    returnUrl: receiver.url(fault, 'return'),
    merchantId: 'M1',
    format: 'form' as const,
    key: new Secret(KEYS.api),
    oldKey: new Secret(KEYS.old),
    formKey: new Secret(KEYS.form),
    readBook: async () => (await fetch(receiver.url(fault, 'book'))).text(),
    acknowledgement: 'ok_body' as const,
    patienceMs: fault === 'hangs_on_bad_results' ? 300 : 120_000,
    settleMs: 0,
  };
  return playReceiver(asked, systemClock, systemRandom);
}

const namesOf = (results: readonly ConformanceResult[]) => results.map(({ name }) => name);
const failedOf = (results: readonly ConformanceResult[]) => results.filter(({ state }) => state === 'failed');

/** More would delay the receiver, which runs in this process too. */
const AT_ONCE = 8;
const PLAYED_AT_MOST = 3;

/** A busy machine may deliver two parts of a body as one, and a fault with parts then stays hidden. */
async function playUntilFound(fault: string, check: string): Promise<readonly string[]> {
  for (let times = 1; ; times++) {
    const names = namesOf(failedOf(await play(fault)));
    if (names.includes(check) || times === PLAYED_AT_MOST) return names;
  }
}

describe('conform with a hostile receiver', () => {
  it(`gateway conform finds each of ${Object.keys(PLANTED).length} planted faults, and no fault in a correct receiver`, async () => {
    const good = await play('good');
    assert.deepEqual(
      good.filter(({ state }) => state !== 'passed'),
      [],
    );
    const found = new Set<string>();
    const left = Object.entries(PLANTED);
    const playOn = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [fault, check] = next;
        const names = await playUntilFound(fault, check);
        for (const name of names) found.add(name);
        assert.ok(names.includes(check), `${fault}: ${names}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, playOn));
    assert.deepEqual(
      namesOf(good).filter((name) => !found.has(name)),
      [],
      'these checks have no fault that they find',
    );
  });
});
