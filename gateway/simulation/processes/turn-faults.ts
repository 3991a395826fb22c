/** Kills or stalls a process at one of its turns. */
import type { Life } from '../world/life.ts';
import type { World } from '../world/world.ts';

interface Fault {
  readonly life: Life;
  readonly side: 'before' | 'after';
  readonly strike: () => void;
  /** The number of the process's turns until the fault. */
  turns: number;
}

interface TurnFaults {
  add(fault: Fault): void;
  /** Counts the turns only from the moment at which the process next begins payout attempts. */
  addAtClaim(fault: Fault): void;
  endOf(life: Life): void;
  /** Clears all faults after all processes have ended. */
  forget(): void;
}

/** `onClaim` is called when a process has begun attempts of the given payouts. */
export function createTurnFaults(world: World, onClaim: World['afterClaim']): TurnFaults {
  let faults: Fault[] = [];
  let atClaim: Fault[] = [];

  function meet(life: Life, side: Fault['side']): void {
    for (const fault of [...faults]) {
      if (fault.life !== life || fault.side !== side) continue;
      fault.turns -= 1;
      if (fault.turns >= 0) continue;
      faults = faults.filter((other) => other !== fault);
      fault.strike();
    }
  }

  world.beforeTurn = (life) => meet(life, 'before');
  world.afterTurn = (life) => meet(life, 'after');
  world.afterClaim = (claiming, begun) => {
    faults.push(...atClaim.filter(({ life }) => life === claiming));
    atClaim = atClaim.filter(({ life }) => life !== claiming);
    onClaim(claiming, begun);
  };
  return {
    add: (fault) => void faults.push(fault),
    addAtClaim: (fault) => void atClaim.push(fault),
    endOf(gone) {
      faults = faults.filter(({ life }) => life !== gone);
      atClaim = atClaim.filter(({ life }) => life !== gone);
    },
    forget() {
      faults = [];
      atClaim = [];
    },
  };
}
