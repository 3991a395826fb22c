/** The bank of the demo's payouts: a stand-in bank, which can be asked what it paid. Its book is in the data directory. */
import { join } from 'node:path';
import type { SideOptions, Simulator, SimulatorKind, SimulatorPlace, SimulatorPlan } from './simulator.ts';

export const STAND_IN_BANK: SimulatorKind = {
  name: 'stand-in bank',
  program: 'bank',
  server: 'stand-in-bank',
  probe: '/stand-in/v1/payouts/nothing',
  variables: { url: 'STAND_IN_BANK_URL', port: 'STAND_IN_BANK_PORT', secret: 'STAND_IN_BANK_SECRET' },
};

export function bankPlan(place: SimulatorPlace, { gatewayUrl, dataDir }: SideOptions): SimulatorPlan {
  const environment = {
    STAND_IN_BANK_BOOK: process.env['STAND_IN_BANK_BOOK'] || join(dataDir, 'stand-in-bank.jsonl'),
    STAND_IN_BANK_NOTIFY_URL: `${gatewayUrl}/rail-notifications/stand-in-bank`,
  };
  return { ...place, environment };
}

export interface BankSide {
  /** The bank's own word for a payout that it was sent under `reference`. */
  statusOf(reference: string): Promise<string>;
}

export function bankSide(bank: Simulator): BankSide {
  return {
    async statusOf(reference) {
      const answer = await bank.ask(`/stand-in/v1/payouts/${encodeURIComponent(reference)}`);
      const { status } = (await answer.json()) as { status?: string };
      return status ?? `unknown (HTTP ${answer.status})`;
    },
  };
}
