/**
 * Payout scenarios at a provider, one test each, through a complete gateway. The first uses every method of the provider. Each
 * other scenario uses one method in turn, because a provider treats all methods alike; the full run uses all. A provider must
 * define how each standard scenario happens, or that it never does. Each rail's own tests cover its responses, faults and
 * notifications. Because the gateway treats responses of all rails alike, the core run covers all scenarios at two rails, and
 * at other rails only those that prove the connection. The full run covers all.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import type { RunningGateway } from '../gateway/running-gateway.ts';
import { assertPending, type End, recordOf, type Trial, untilAttempted } from '../payouts/payout-ends.ts';
import type { RequestFields } from '../payouts/payout-request.ts';
import { until } from '../tools/until.ts';
import type { Faults, PayoutRailName } from './payout-providers.ts';
import { assertSentOnce, openTrials, type TrialProvider, type Trials } from './payout-trial.ts';

/** `methods` are the methods that the scenario uses. */
type Story = (trials: Trials, methods: readonly number[]) => Promise<void>;

export interface Never {
  readonly because: string;
}

type UsualStory =
  | 'is executed immediately'
  | 'is blocked when an answer with HTTP 200 declines it'
  | 'is pending first and executed later'
  | 'is pending first and declined later'
  | 'gets its outcome from a status query when its execution was not answered'
  | 'gets its outcome from a status query when its execution was answered with 500'
  | 'is sent again once the provider provably never received it'
  | 'succeeds when the notification arrives before the answer'
  | 'ends once when the provider notifies twice'
  | 'ends correctly when the provider notifies late'
  | 'ignores a forged notification'
  | 'is reversed after it succeeded'
  | 'waits with an alert while the provider refuses our credential';

/** One provider signs its notifications. The gateway confirms those of the other provider by a status query. */
const PLAYS_ALL: readonly PayoutRailName[] = ['wayforpay', 'dt-one'];

const AT_EVERY_RAIL: ReadonlySet<string> = new Set<UsualStory>([
  'is executed immediately',
  'is pending first and executed later',
  'is pending first and declined later',
  'gets its outcome from a status query when its execution was not answered',
  'is reversed after it succeeded',
]);

type Stories = Readonly<Record<UsualStory, Story | Never>> & Readonly<Record<string, Story | Never>>;

export function describePayouts<Rail extends PayoutRailName>(
  what: string,
  provider: TrialProvider<Rail>,
  stories: Stories,
): void {
  const methods = Object.keys(provider.methods).map(Number);
  const playsAll = PLAYS_ALL.includes(provider.rail) || process.env['TEST_FULL'];
  describe(`${what}, by method ${methods.join(', ')}`, () => {
    let trials: Trials;
    before(async () => {
      trials = await openTrials(provider);
    });
    beforeEach(() => trials.faults({}));
    after(() => trials.close());

    Object.entries(stories).forEach(([sentence, story], place) => {
      if (typeof story !== 'function' || !(playsAll || AT_EVERY_RAIL.has(sentence))) return;
      it(`${what} ${sentence}`, () => story(trials, methodsAt(place, methods)));
    });

    it(`${what} keeps its final state, its one callback and its one payment, and the books balance after all stories`, () =>
      trials.allStand());
  });
}

function methodsAt(place: number, methods: readonly number[]): readonly number[] {
  if (place === 0 || process.env['TEST_FULL']) return methods;
  const turn = place % methods.length;
  return methods.slice(turn, turn + 1);
}

export const never = (because: string): Never => ({ because });

/** The notification scenarios of a provider without notifications. */
export function sendsNoNotification(provider: string) {
  const because = never(`${provider} sends no notifications`);
  return {
    'succeeds when the notification arrives before the answer': because,
    'ends once when the provider notifies twice': because,
    'ends correctly when the provider notifies late': because,
    'ignores a forged notification': because,
    'is reversed after it succeeded': because,
  } as const satisfies Partial<Stories>;
}

interface Circumstances {
  /** Changes to the merchant's request. */
  readonly change?: RequestFields;
  /** The outcome of a notification in the log meanwhile. */
  readonly logged?: 'known' | 'unauthentic' | 'wrong_amount';
}

/** A payout that is sent once under these faults has this outcome. */
export function ends(end: End, faults: Faults, { change, logged }: Circumstances = {}): Story {
  return async (trials, methods) => {
    const { gateway } = trials;
    const from = gateway.log.length;
    await trials.faults(faults);
    for (const few of fewAtOnce(methods)) {
      await each(await trials.beginAll(few, change), async (trial) => {
        await trials.ends(trial, end);
        await assertSentOnce(trial);
      });
    }
    if (logged) await until(`a notification is ${logged}`, () => isLogged(gateway, 'rail_notif', logged, from));
  };
}

/**
 * Under these faults the payout waits after an attempt with this outcome. Without them the same payout continues and succeeds.
 */
export function waits(outcome: 'unknown' | 'not_accepted' | 'pending', faults: Faults): Story {
  return async (trials, methods) => {
    for (const few of fewAtOnce(methods)) {
      await trials.faults(faults);
      const begun = await trials.beginAll(few);
      await each(begun, (trial) => untilAttempted(trial, outcome));
      await sleep(300);
      await each(begun, assertPending);
      await each(begun, async (trial) => assert.equal(await trials.executionsOf(trial), 0));
      await trials.faults({});
      await each(begun, async (trial) => {
        await trials.ends(trial, 'Success 0');
        const { attempts } = await recordOf(trial);
        assert.equal(new Set(attempts.map(({ reference }) => reference)).size, 1, 'all attempts use one reference');
      });
    }
  };
}

export function isReversed(faults: Faults, change?: RequestFields): Story {
  return async (trials, methods) => {
    await trials.faults(faults);
    for (const few of fewAtOnce(methods)) await each(await trials.beginAll(few, change), trials.isReversed);
  };
}

/**
 * With these wrong variables, the provider refuses the gateway's credential. That is not a decline: no payout completes, and
 * only the operator is alerted.
 */
export function waitsForCredential(wrong: EnvironmentVariables): Story {
  return async (trials, methods) => {
    const paid = await trials.executed();
    const gateway = await trials.open(wrong);
    try {
      await each(await trials.beginAll(methods, {}, gateway), async (trial) => {
        await untilAttempted(trial, 'not_accepted');
        await assertPending(trial);
      });
      assert.ok(isLogged(gateway, 'alert_raised', 'credential_refused'));
      await gateway.verify();
    } finally {
      await gateway.stop();
    }
    assert.deepEqual(await trials.executed(), paid);
  };
}

const each = <Done>(trials: readonly Trial[], act: (trial: Trial) => Promise<Done>) => Promise.all(trials.map(act));

/** The breaker pauses a rail after five consecutive failures. These groups are smaller. */
function fewAtOnce(methods: readonly number[]): readonly (readonly number[])[] {
  return [methods.slice(0, 3), methods.slice(3)];
}

function isLogged({ log }: RunningGateway, event: string, word: string, from = 0): boolean {
  return log.slice(from).some((line) => line.includes(`"${event}`) && line.includes(`"${word}"`));
}
