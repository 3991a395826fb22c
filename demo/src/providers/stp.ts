/**
 * The Mexican part of the demo: STP's simulator, and payers whose banks send money through it. Its book is in the data
 * directory.
 */
import { join } from 'node:path';
import { DemoFailure } from '../demo-failure.ts';
import type { SideOptions, Simulator, SimulatorKind, SimulatorPlace, SimulatorPlan } from '../simulator.ts';

export const STP_SIMULATOR: SimulatorKind = {
  name: 'STP simulator',
  program: 'stp',
  server: 'stp-simulator',
  probe: '/control/summary',
  variables: { url: 'STP_URL', port: 'STP_PORT', secret: 'STP_CONTROL_SECRET' },
};

/** The control secret of the demo's own simulator, unless a different URL is given. */
export const STP_CONTROL_SECRET = 'stp-control-secret';

export const PAY_PATH = '/control/pay';

export interface StpClient {
  readonly empresa: string;
  readonly clabePrefix: string;
  /** The gateway's public key, as registered with STP. */
  readonly publicKeyFile: string;
}

export interface Payment {
  readonly clabe: string;
  readonly amount: string;
  readonly name: string;
  /** A key that is unique, because no bank uses a tracking key twice. */
  readonly claveRastreo: string;
}

export interface PaidTransfer {
  readonly monto: string;
}

export function stpPlan(place: SimulatorPlace & StpClient, { gatewayUrl, dataDir }: SideOptions): SimulatorPlan {
  const environment = {
    STP_BOOK: process.env['STP_BOOK'] || join(dataDir, 'stp.jsonl'),
    STP_EMPRESA: place.empresa,
    STP_CLABE_PREFIX: place.clabePrefix,
    STP_PUBLIC_KEY: place.publicKeyFile,
    STP_ABONO_URL: `${gatewayUrl}/rail-notifications/stp`,
    STP_STATE_URL: `${gatewayUrl}/rail-notifications/stp`,
    STP_CONTROL: 'on',
  };
  return { ...place, environment };
}

export interface StpSide {
  /** Makes a payer pay. Resolves once the money is in STP's book. */
  pay(payment: Payment): Promise<PaidTransfer>;
}

export function stpSide({ url }: SimulatorPlace, stp: Simulator): StpSide {
  return {
    async pay(payment) {
      const answer = await stp.ask(PAY_PATH, payment);
      const { transfers } = (await answer.json()) as { transfers?: readonly PaidTransfer[] };
      const [transfer] = transfers ?? [];
      if (transfer) return transfer;
      const why = answer.status === 404 ? 'it runs with STP_CONTROL=off' : `HTTP ${answer.status}`;
      throw new DemoFailure(`The payer could not pay at the STP simulator on ${url}: ${why}`);
    },
  };
}
