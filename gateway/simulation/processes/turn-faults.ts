/** Faults of a process at one of its turns: it dies, or it stalls. */
import type { Life } from '../world/life.ts';
import type { World } from '../world/world.ts';

interface Fault {
  readonly life: Life;
  readonly side: 'before' | 'after';
  readonly strike: () => void;
  /** The turns of the process until then. */
  turns: number;
}

interface TurnFaults {
  add(fault: Fault): void;
  /** The fault counts turns from the moment at which the process next begins attempts of payouts. */
  addAtClaim(fault: Fault): void;
  endOf(life: Life): void;
  /** Forgets the faults, once all processes have ended. */
  forget(): void;
}

/** `onClaim`: a process has begun attempts of these payouts. */
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
