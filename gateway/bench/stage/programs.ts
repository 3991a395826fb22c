/** The programs of a benchmark, each configured with the addresses of the others. */
import path from 'node:path';
import type { DrainFloorBank, DrainFloorOrder } from '../floors/narrow-drain.ts';
import type { Program } from './staged-process.ts';

export interface Ports {
  readonly gatewayPort: number;
  readonly bankPort: number;
  readonly stpPort: number;
  readonly receiverPort: number;
}

/** The gateway's credentials at WayForPay, which executes the payouts. */
export const BANK_ACCOUNT = { WAYFORPAY_MERCHANT_ACCOUNT: 'bench', WAYFORPAY_SECRET_KEY: 'bench-secret-key' };

/** The number of payouts that the bank executes concurrently. */
const BANK_CONCURRENCY = 64;

/** `folder` contains the files of all programs. */
export function programsOf(folder: string, { gatewayPort, bankPort, stpPort, receiverPort }: Ports) {
  const bankUrl = `http://127.0.0.1:${bankPort}`;
  const variables = {
    GATEWAY_DATA_DIR: folder,
    PORT: String(gatewayPort),
    WAYFORPAY_URL: bankUrl,
    ...BANK_ACCOUNT,
    WAYFORPAY_CONCURRENCY: String(BANK_CONCURRENCY),
    STP_URL: `http://127.0.0.1:${stpPort}`,
    STP_PRIVATE_KEY_FILE: path.join(folder, 'stp-private-key.pem'),
    LOG_LEVEL: 'error',
  };
  const banks: Program = {
    kind: 'banks',
    script: 'gateway/bench/servers/banks.ts',
    args: [],
    environment: {
      WAYFORPAY_PORT: String(bankPort),
      ...BANK_ACCOUNT,
      WAYFORPAY_BOOK: path.join(folder, 'bank.jsonl'),
      STP_PORT: String(stpPort),
      STP_ABONO_URL: `http://127.0.0.1:${gatewayPort}/rail-notifications/stp`,
      STP_PUBLIC_KEY: path.join(folder, 'stp-public-key.pem'),
      STP_BOOK: path.join(folder, 'stp.jsonl'),
    },
    // The banks start in sequence, and WayForPay starts after STP.
    ready: urlAt(bankPort),
  };
  const receiver: Program = {
    kind: 'receiver',
    script: 'gateway/bench/servers/receiver.ts',
    args: [String(receiverPort)],
    environment: {},
    ready: urlAt(receiverPort),
  };
  return {
    /** The variables that all gateway processes share. */
    variables,
    banks,
    receiver,
    /** Each process has a different `opsPort`. */
    gateway: (role: 'api' | 'worker' | 'all', opsPort: number): Program => ({
      kind: role === 'all' ? 'gateway' : role,
      script: 'gateway/src/main/cli.ts',
      args: ['serve', '--role', role],
      environment: { ...variables, METRICS_PORT: String(opsPort), MANAGE_PORT: '0' },
      ready: new URL('/readyz', urlAt(opsPort)),
      opsUrl: urlAt(opsPort),
    }),
    /** `environment` is added to the floor's variables. */
    httpFloor: (port: number, environment: Program['environment']): Program => ({
      kind: 'http floor',
      script: 'gateway/bench/servers/http-floor.ts',
      args: [String(port)],
      environment,
      ready: urlAt(port),
    }),
    drainFloor: (port: number, order: Omit<DrainFloorOrder, keyof DrainFloorBank>): Program => ({
      kind: 'worker',
      script: 'gateway/bench/servers/drain-floor.ts',
      args: [String(port)],
      environment: {
        DRAIN: JSON.stringify({
          ...order,
          bankUrl,
          serviceUrl: new URL('/rail-notifications/wayforpay', urlAt(gatewayPort)).href,
          merchantAccount: BANK_ACCOUNT.WAYFORPAY_MERCHANT_ACCOUNT,
          secretKey: BANK_ACCOUNT.WAYFORPAY_SECRET_KEY,
          concurrency: BANK_CONCURRENCY,
        } satisfies DrainFloorOrder),
      },
      ready: urlAt(port),
    }),
    bareServer: (port: number): Program => ({
      kind: 'http floor',
      script: 'gateway/bench/servers/bare.ts',
      args: [String(port)],
      environment: {},
      ready: urlAt(port),
    }),
  };
}

export function urlAt(port: number): URL {
  return new URL(`http://127.0.0.1:${port}`);
}
