/**
 * The doctor's check of the rails that have a URL: whether the provider responds there, and not only a proxy in front of it.
 * It adds the workers' reports, as `gateway rail list` shows them. It sends no credentials.
 */
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import type { Finding } from '../../cli/command-host.ts';
import type { RunningProcess } from '../../domain/monitoring/running-process.ts';
import type { BreakerState, RailHealth } from '../../domain/rails/rail-health.ts';
import { configuredRails } from '../../rails/registry.ts';
import type { Config } from '../config/config.ts';
import { bad, type DoctorNotes, type DoctorParts, good, noted } from './doctor-finding.ts';
import { noticeOfNoProvider } from './no-provider.ts';

const PATIENCE_MS = 2_000;

/** Responses of a proxy that cannot reach its server. */
const IN_ITS_PLACE: ReadonlySet<number> = new Set([502, 503, 504]);

export async function examineRails(
  { rails }: Config,
  _parts: DoctorParts,
  { workers, processes }: DoctorNotes,
): Promise<Finding[]> {
  const compared = compareWithProcesses(
    configuredRails(rails).map(({ definition }) => definition.name),
    processes,
  );
  const notice = noticeOfNoProvider(rails);
  if (notice !== null && processes.length === 0) return [good('Rails', notice)];
  const findings = configuredRails(rails).map(async ({ definition: { name }, configuration }) => {
    if (!('url' in configuration)) return [];
    return [await examineRail(name, configuration.url, worstOf(workers.filter(({ rail }) => rail === name)))];
  });
  return [...(await Promise.all(findings)).flat(), ...compared];
}

/** The running processes decide which rails there are. The shell of the doctor may have other variables. */
function compareWithProcesses(here: readonly string[], processes: readonly RunningProcess[]): Finding[] {
  const lacking = (name: string) => processes.filter(({ rails }) => !rails.includes(name));
  const names = [...new Set([...processes.flatMap(({ rails }) => rails), ...here])];
  return names.flatMap((name) => {
    const without = lacking(name).length;
    if (processes.length === 0 || (without === 0 && here.includes(name))) return [];
    if (without === 0)
      return [
        good(
          `Rail ${name}`,
          'configured in the running processes; this shell lacks its variables, so its URL was not checked',
        ),
      ];
    const found =
      without === processes.length
        ? 'configured in this shell, and in no running process'
        : `configured in ${processes.length - without} of ${processes.length} running processes`;
    return [noted(`Rail ${name}`, found, 'Give all processes the same variables, and restart them')];
  });
}

const WORKERS_SAY: Readonly<Record<Exclude<BreakerState, 'closed'>, string>> = {
  open: 'a worker reports the rail down',
  half_open: 'a worker reports that the rail failed, and retries it',
};

async function examineRail(rail: string, url: string, worst: BreakerState): Promise<Finding> {
  const name = `Rail ${rail}`;
  const { isWell, found, remedy } = await lookAt(url);
  if (!isWell) return bad(name, `${url} ${found}`, remedy);
  if (worst === 'closed') return good(name, `${url} ${found}`);
  return bad(
    name,
    `${url} ${found}, but ${WORKERS_SAY[worst]}`,
    'Check "gateway rail list", and rail_called in the log',
  );
}

function worstOf(workers: readonly RailHealth[]): BreakerState {
  return (['open', 'half_open'] as const).find((state) => workers.some(({ breaker }) => breaker === state)) ?? 'closed';
}

interface Look {
  readonly isWell: boolean;
  readonly found: string;
  readonly remedy: string;
}

export async function lookAt(url: string): Promise<Look> {
  const status = await statusOf(url);
  if (status !== undefined && IN_ITS_PLACE.has(status)) {
    const found = `returns HTTP ${status}: a proxy responds without the provider behind it, or the provider is down`;
    return { isWell: false, found, remedy: 'Correct its URL, or ask the provider' };
  }
  if (status !== undefined) return { isWell: true, found: `responds (HTTP ${status})`, remedy: '' };
  // Over plain HTTP no client certificate is involved, so the cause is a server without an HTTP response.
  if (url.startsWith('https:') && (await isListening(new URL(url))))
    return { isWell: true, found: 'accepts connections; it serves only clients with our certificate', remedy: '' };
  return {
    isWell: false,
    found: 'is unreachable: payouts and queries wait',
    remedy: 'Start it (in development: npm run simulators), or correct its URL',
  };
}

/**
 * Resolves to undefined without an HTTP response. The request carries no secret, so the server's certificate is not verified.
 */
async function statusOf(url: string): Promise<number | undefined> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, timeout: PATIENCE_MS } });
  try {
    const { statusCode, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(PATIENCE_MS) });
    await body.dump();
    return statusCode;
  } catch {
    return undefined;
  } finally {
    await dispatcher.destroy();
  }
}

/** Proves that a server listens if it serves only clients with a certificate. */
function isListening({ protocol, hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), timeout: PATIENCE_MS });
  return new Promise((resolve) => {
    for (const event of ['connect', 'timeout', 'error'] as const) {
      socket.once(event, () => {
        socket.destroy();
        resolve(event === 'connect');
      });
    }
  });
}
