/** Messages between the gateway and external actors. Random network faults delay, lose or refuse them. */
import type { Instant } from '../../src/foundation/clock.ts';
import type { Weather } from '../faults/weather.ts';
import type { World } from './world.ts';

export type Fate = 'answered' | 'refused' | 'lost' | 'unanswered' | 'broken';

export interface Network {
  /** Draws what happens to a call. */
  fate(): Fate;
  /** Draws the delay of a message. Messages arrive at multiples of the pace's step, so that many arrive together. */
  delayMs(): number;
  now(): Instant;
}

export function createNetwork(world: World, weather: Weather): Network {
  const drawn = world.drawn.apart('network');
  const { stepMs, messageSteps } = world.pace;
  return {
    now: world.now,
    fate() {
      const { refused, lost, unanswered, broken } = weather;
      const bad = refused + lost + unanswered + broken;
      return drawn.weighted<Fate>([
        [1 - bad, 'answered'],
        [refused, 'refused'],
        [lost, 'lost'],
        [unanswered, 'unanswered'],
        [broken, 'broken'],
      ]);
    },
    delayMs() {
      const delayMs = drawn.chance(weather.slow)
        ? 1_000 * drawn.between(1, 20)
        : drawn.between(0, messageSteps * stepMs);
      return Math.ceil((world.now() + delayMs) / stepMs) * stepMs - world.now();
    },
  };
}
