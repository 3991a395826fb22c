/** Clocks for gateways in tests that control periodic work or run in the past. */
import { type Clock, systemClock } from '../../../src/foundation/clock.ts';

/** The machine's clock, except for sleeps whose length the test chooses. */
interface WokenClock extends Clock {
  /** Ends every current sleep of exactly `ms`. */
  wake(ms: number): void;
}

export function createWokenClock(): WokenClock {
  const alarms = new Map<number, AbortController>();
  const alarmOf = (ms: number) => {
    const alarm = alarms.get(ms) ?? new AbortController();
    alarms.set(ms, alarm);
    return alarm;
  };
  return {
    now: systemClock.now,
    sleep(ms, signal) {
      const { signal: woken } = alarmOf(ms);
      return systemClock.sleep(ms, signal ? AbortSignal.any([signal, woken]) : woken);
    },
    wake(ms) {
      const alarm = alarms.get(ms);
      alarms.delete(ms);
      alarm?.abort();
    },
  };
}

/** The machine's clock, which stops while it is held. */
interface HeldClock extends Clock {
  isHeld(is: boolean): void;
}

export function createHeldClock(): HeldClock {
  let heldAt: number | undefined;
  return {
    now: () => heldAt ?? systemClock.now(),
    sleep: systemClock.sleep,
    isHeld(is) {
      heldAt = is ? systemClock.now() : undefined;
    },
  };
}

/** The machine's clock, set back by `ms`. */
export function createPastClock(ms: number): Clock {
  return { ...systemClock, now: () => systemClock.now() - ms };
}
