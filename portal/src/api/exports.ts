/** Running exports, kept outside any page. Signing out reloads the app, which cancels and discards them. */
import { newId } from '../browser.ts';
import { exportAddress } from './client.ts';

export interface ExportJob {
  readonly id: string;
  /** The name of the file. */
  readonly file: string;
  readonly state: 'running' | 'done' | 'cancelled' | 'failed';
  /** The number of received CSV lines, without the header. Null for other files. */
  readonly rows: number | null;
  /** The blob URL of the file. Null until the file is complete. */
  readonly address: string | null;
}

let jobs: readonly ExportJob[] = [];
const stops = new Map<string, AbortController>();
const listeners = new Set<() => void>();

export const exportJobs = (): readonly ExportJob[] => jobs;

export function onExports(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export function startExport(list: string, format: ExportFormat, query: Readonly<Record<string, string>>): void {
  const id = newId();
  const stop = new AbortController();
  stops.set(id, stop);
  const isCsv = format === 'csv';
  show([...jobs, { id, file: `${list}.${format}`, state: 'running', rows: isCsv ? 0 : null, address: null }]);
  const onRows = (rows: number) => (isCsv ? change(id, { rows }) : undefined);
  read(exportAddress(list, { ...query, format }), stop.signal, onRows).then(
    (file) => change(id, { state: 'done', address: URL.createObjectURL(file) }),
    () => change(id, { state: stop.signal.aborted ? 'cancelled' : 'failed' }),
  );
}

export function cancelExport(id: string): void {
  stops.get(id)?.abort();
}

/** Removes the export and its file. */
export function dropExport(id: string): void {
  cancelExport(id);
  stops.delete(id);
  const address = jobs.find((job) => job.id === id)?.address;
  if (address) URL.revokeObjectURL(address);
  show(jobs.filter((job) => job.id !== id));
}

async function read(address: string, signal: AbortSignal, onRows: (rows: number) => void): Promise<Blob> {
  const response = await fetch(address, { signal, headers: { 'x-gateway-client': 'portal' } });
  if (!response.ok || !response.body) throw new Error(`The export returned ${response.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
    parts.push(value);
    for (const byte of value) if (byte === LINE_END) lines++;
    onRows(Math.max(0, lines - 1));
  }
}

const LINE_END = 10;

function change(id: string, to: Partial<ExportJob>): void {
  show(jobs.map((job) => (job.id === id ? { ...job, ...to } : job)));
}

function show(next: readonly ExportJob[]): void {
  jobs = next;
  for (const listener of listeners) listener();
}
