/** Reads CPU time and memory of processes from Linux. On other systems the result is empty. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The process's own CPU time in microseconds. The kernel counts in steps of 10 ms. */
  readonly cpuMicros: number;
  /** The CPU time of its child processes that have ended, in microseconds. */
  readonly endedChildrenMicros: number;
}

interface ProcessMemory {
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}

/** The benchmark shows memory in this unit. */
export const MEGABYTE = 2 ** 20;

const TICK_MICROS = 10_000;

/**
 * Parses `/proc/PID/stat`. The process name is in parentheses and may contain any character, so fields are counted from the
 * last parenthesis.
 */
export function parseStat(text: string): ProcessEntry | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number) => Number(fields[field - 3]);
  const entry = {
    pid: Number.parseInt(text, 10),
    parent: at(4),
    cpuMicros: (at(14) + at(15)) * TICK_MICROS,
    endedChildrenMicros: (at(16) + at(17)) * TICK_MICROS,
  };
  return Object.values(entry).every(Number.isFinite) ? entry : undefined;
}

export function readProcessTable(): ReadonlyMap<number, ProcessEntry> {
  const table = new Map<number, ProcessEntry>();
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = parseStat(textOf(`/proc/${name}/stat`));
    if (entry) table.set(entry.pid, entry);
  }
  return table;
}

/** Returns the CPU time of a process and all its descendants, including those that have ended. */
export function cpuOfTree(root: number, table: ReadonlyMap<number, ProcessEntry>): number {
  const own = table.get(root);
  if (!own) return 0;
  let micros = own.cpuMicros + own.endedChildrenMicros;
  for (const child of childrenOf(root, table)) micros += cpuOfTree(child, table);
  return micros;
}

export function parentOf(pid: number): number | undefined {
  return parseStat(textOf(`/proc/${pid}/stat`))?.parent;
}

export function memoryOf(pid: number): ProcessMemory | undefined {
  const status = textOf(`/proc/${pid}/status`);
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024;
  const memory = { rssBytes: bytes('VmRSS'), peakRssBytes: bytes('VmHWM') };
  return Number.isNaN(memory.rssBytes) ? undefined : memory;
}

/** Returns the direct child processes of a process. */
export function childrenOf(pid: number, table: ReadonlyMap<number, ProcessEntry>): number[] {
  return [...table.values()].filter(({ parent }) => parent === pid).map((child) => child.pid);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns an empty string if the process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
