/**
 * Database faults that all processes share: it is unreachable for a while, its disk is slow, and commits lose their
 * connection.
 */

import type { Instant } from '../../src/foundation/clock.ts';
import type { DatabaseFaults, SimulatedDatabase } from '../database/simulated-database.ts';
import type { World } from '../world/world.ts';
import type { Weather } from './weather.ts';

export interface SharedDatabaseFaults extends DatabaseFaults {
  readonly awayUntil: () => Instant;
  /** Closes every connection. No process can connect for `ms`. */
  cut(ms: number): void;
  /** Makes the database reachable again. */
  end(): void;
}

/** `databases` returns the databases of all running processes. */
export function createDatabaseFaults(
  world: World,
  weather: Weather,
  databases: () => readonly SimulatedDatabase[],
): SharedDatabaseFaults {
  const drawn = world.drawn.apart('commits');
  let awayUntil = 0;
  const isAway = () => world.now() < awayUntil;
  world.statementMs = () => (weather.statementMs > 0 && drawn.chance(0.2) ? drawn.between(0, weather.statementMs) : 0);
  return {
    isAway,
    awayUntil: () => awayUntil,
    commitFault() {
      if (!isAway() && !drawn.chance(weather.commitLost)) return undefined;
      return drawn.chance(0.5) ? 'lost_before' : 'lost_after';
    },
    cut(ms) {
      awayUntil = Math.max(awayUntil, world.now() + ms);
      for (const database of databases()) database.cut();
      world.after(ms, () => {});
    },
    end() {
      awayUntil = 0;
    },
  };
}
