/** The memory of each gateway process: the operating system's figure and the process's own figure of its heap. */
import type { Stage } from '../stage/stage.ts';
import type { ProcessKind, StagedProcess } from '../stage/staged-process.ts';
import { childrenOf, memoryOf, readProcessTable } from './process-table.ts';

export interface MemoryOf {
  readonly kind: ProcessKind;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  /** The used JavaScript heap. Null if the process does not report it. */
  readonly heapBytes: number | null;
}

const GATEWAY_KINDS: ReadonlySet<ProcessKind> = new Set(['api', 'worker', 'gateway']);

/** Returns one entry per process, including child processes. */
export async function gatewayMemory({ running }: Stage): Promise<MemoryOf[]> {
  const found = await Promise.all([...running].filter(({ kind }) => GATEWAY_KINDS.has(kind)).map(memoryOfProcess));
  return found.flat();
}

async function memoryOfProcess({ kind, pid, opsUrl }: StagedProcess): Promise<MemoryOf[]> {
  const heapBytes = opsUrl ? await heapOf(opsUrl) : null;
  const children = childrenOf(pid, readProcessTable());
  return [pid, ...children].flatMap((one) => {
    const memory = memoryOf(one);
    return memory ? [{ kind, ...memory, heapBytes: one === pid ? heapBytes : null }] : [];
  });
}

async function heapOf(opsUrl: URL): Promise<number | null> {
  const answer = await fetch(new URL('/metrics', opsUrl)).catch(() => undefined);
  const used = /^nodejs_heap_size_used_bytes\S* (\S+)$/m.exec((await answer?.text()) ?? '')?.[1];
  return used === undefined ? null : Number(used);
}
