/** STP's simulator for tests. Payers pay, and HTTP controls the book and the faults. */
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayVariables } from '../../../../rail-simulators/src/stp/gateway-variables.ts';
import { startStp } from '../../../../rail-simulators/src/stp/server.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { CONTROL_SECRET, readBook, START_OPTIONS, simulatorAt } from './simulator-control.ts';

export const CLABE_PREFIX = '6461804990';

/** A transfer that a payer made. */
export interface PaidTransfer {
  readonly id: number;
  readonly claveRastreo: string;
  readonly monto: string;
  readonly cuentaBeneficiario: string;
}

/** An entry in STP's book about an incoming transfer, at one step. */
export interface StpEntry extends PaidTransfer {
  readonly kind: string;
  readonly direction: 'E' | 'R';
  readonly estado: string;
  /** The kind of notification, or `none` if STP sends none. */
  readonly notification: string;
}

export interface StpUnderControl {
  readonly url: string;
  /** The environment of a gateway that is STP's client. */
  readonly variables: EnvironmentVariables;
  /** Makes a payer pay exactly 100.00 into the CLABE, once. `change` overrides fields (see the simulator's README). */
  pay(clabe: string, change?: Readonly<Record<string, unknown>>): Promise<readonly PaidTransfer[]>;
  faults(change: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns the latest entry of each incoming transfer. */
  received(): Promise<readonly StpEntry[]>;
  /** Returns the latest entry of each order that the gateway sent. */
  sent(): Promise<readonly StpEntry[]>;
  /** Returns the kinds of the entries about one transfer, oldest first. */
  story(transfer: Pick<PaidTransfer, 'id'>): Promise<readonly string[]>;
  /** Deletes everything. Ids restart, so payers of the same day need different tracking keys. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Shorter delays than usual, so that a test does not wait for seconds. */
const DELAYS = { settleMs: 100, returnMs: 100, lateMs: 300, holdMs: 30_000, longestPauseMs: 2_000 };

/** `abonoUrl` is the gateway's URL for notifications. */
export async function startStpUnderControl(abonoUrl: string): Promise<StpUnderControl> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-stp-'));
  const stp = await startStp({
    ...START_OPTIONS,
    empresa: 'GATEWAY',
    clabePrefix: CLABE_PREFIX,
    findPublicKey: () => createPublicKey(readFileSync(join(folder, 'stp-public-key.pem'))),
    notify: { abonoUrl, stateUrl: abonoUrl },
    delays: DELAYS,
  });
  const ask = simulatorAt({ url: stp.url, secret: CONTROL_SECRET });
  const book = async (wanted: StpEntry['direction']) =>
    (await readBook<StpEntry>(ask)).filter(({ direction }) => direction === wanted);
  return {
    url: stp.url,
    variables: { ...gatewayVariables(stp.url), STP_PRIVATE_KEY_FILE: join(folder, 'stp-private-key.pem') },
    async pay(clabe, change = {}) {
      return (await ask('pay', { clabe, amount: '100.00', ...change }))['transfers'] as PaidTransfer[];
    },
    faults: async (change) => void (await ask('faults', change)),
    received: async () => latestOf(await book('R')),
    sent: async () => latestOf(await book('E')),
    story: async ({ id }) => (await book('R')).filter((entry) => entry.id === id).map(({ kind }) => kind),
    reset: async () => void (await ask('reset', {})),
    async close() {
      await stp.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function latestOf(entries: readonly StpEntry[]): StpEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
