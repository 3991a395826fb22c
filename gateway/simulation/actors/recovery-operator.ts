/** The operator after a restore: declares it, compares the banks' lists and completes the recovery. */
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import { DAY_MS, type Instant } from '../../src/foundation/clock.ts';
import type { PersonParts } from './until-done.ts';

export interface RecoveryOperator {
  /** Call it before any process starts on the restored database. */
  declare(): Promise<void>;
  /** Completes the recovery once its criteria are met. */
  follow(): void;
}

interface RecoveryOperatorParts extends PersonParts {
  readonly operations: () => Pick<GatewayOperations, 'recovery'>;
}

const PERSON = 'person 1';
/** Few addresses, because their total number is limited. */
const SKIPPED = { transactionIds: 2_000_000, addresses: 1_000 };
const ENDS_WITHIN_MS = 5 * DAY_MS;

export function createRecoveryOperator({ world, operations, violated }: RecoveryOperatorParts): RecoveryOperator {
  async function isCompleted(): Promise<boolean> {
    const { latest, compare, complete } = operations().recovery;
    if ((await latest())?.completed) return true;
    await compare(new AbortController().signal);
    return (await complete({ rail: null, by: PERSON, forcedBecause: null })).ok;
  }

  function look(attempts: number, since: Instant): void {
    const begunAt = world.now();
    world.after(world.pace.recoveryPauseMs(attempts), async () => {
      const isOver = await isCompleted().catch(() => false);
      if (isOver || world.restoredAt > begunAt) return;
      if (begunAt < since + ENDS_WITHIN_MS) return look(attempts + 1, since);
      const progress = await operations().recovery.progress();
      violated(`the recovery does not end: ${progress.flatMap(({ missing }) => missing).join('; ')}`);
    });
  }

  return {
    async declare() {
      const begun = await operations().recovery.begin({
        ...{ by: PERSON, reason: 'simulated', knownUntil: null, skip: SKIPPED },
      });
      if (!begun.ok) throw new Error(JSON.stringify(begun.error));
    },
    follow: () => look(0, world.now()),
  };
}
