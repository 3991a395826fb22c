/**
 * The gateway's log: JSON lines, one per event of log-events.ts, with only the fields of that event. It accepts no free-form
 * objects, so no value reaches the log as a property of another one.
 */
import { type DestinationStream, destination, pino } from 'pino';
import type { Clock } from '../../foundation/clock.ts';
import { type FieldKind, type Level, LOG_EVENTS, type LogEvent, type LogFields } from './log-events.ts';
import { redactText, reduceError } from './redact.ts';

/** `level` overrides the level of the event. */
export type Log = <Event extends LogEvent>(event: Event, fields: LogFields<Event>, level?: Level) => void;

export interface LogOptions {
  /** The lowest level that the log writes. `silent` writes nothing. */
  readonly level: Level | 'silent';
  readonly clock: Clock;
  readonly destination: DestinationStream;
  /** Part of every line where several processes share one log. */
  readonly processName?: string;
}

const LONGEST_NAME = 128;

const WRITERS: Readonly<Record<FieldKind, (value: unknown) => unknown>> = {
  name: (value) => String(value).slice(0, LONGEST_NAME),
  text: (value) => redactText(String(value)),
  number: (value) => (typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : null),
  instant: (value) => new Date(Number(value)).toISOString(),
  error: (value) => reduceError(value),
};

/** The size that a pipe writes atomically, so that lines of several processes do not interleave. */
const WHOLE_WRITE_BYTES = 4_096;

/** Standard error, buffered without waiting and flushed when the process ends. `isShared`: several processes write to it. */
export function logDestination({ isShared } = { isShared: false }): DestinationStream {
  return destination({ dest: 2, sync: false, ...(isShared ? { maxWrite: WHOLE_WRITE_BYTES } : {}) });
}

export function createLog({ level, clock, destination: stream, processName }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: processName === undefined ? null : { process: processName },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  return (event, fields, ownLevel) => {
    const { level: usual, fields: kinds } = LOG_EVENTS[event];
    const at = ownLevel ?? usual;
    if (!logger.isLevelEnabled(at)) return;
    const given = fields as Readonly<Record<string, unknown>>;
    const written: Record<string, unknown> = { event };
    for (const [field, kind] of Object.entries<FieldKind>(kinds)) {
      if (given[field] !== undefined) written[field] = WRITERS[kind](given[field]);
    }
    logger[at](written);
  };
}
