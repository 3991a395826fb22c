/** What the makers of the history share. */
import type { Random } from '../../../gateway/src/foundation/ids.ts';
import type { Gateway } from '../../../gateway/src/main/compose/compose.ts';
import type { MovedClock } from './moved-clock.ts';

export interface Scene {
  readonly gateway: Gateway;
  readonly clock: MovedClock;
  readonly random: Random;
  /** Lets the clock move on, and the gateway do what is due. */
  pass(ms: number): Promise<void>;
}
