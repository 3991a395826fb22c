/** Adyen's side of the payout that the demo shows: its simulator, hurried for it, and asked what it paid. */
import { DemoFailure } from './demo-failure.ts';
import type { ProviderPlace, Rails } from './providers/provider.ts';
import type { Simulator } from './simulator.ts';

export interface AdyenSide {
  /** Adyen's own word for the transfer that it was sent under `reference`, as its clients ask. */
  statusOf(reference: string): Promise<string>;
  /** Books at once what comes while `work` runs, so that the reader need not wait for it. */
  inHurry<Done>(work: () => Promise<Done>): Promise<Done>;
}

const DAY_MS = 24 * 3_600_000;

export function adyenSide(at: Simulator, { url }: ProviderPlace, account: Rails['adyenTransfers']): AdyenSide {
  const tell = (transfers: string) => at.ask('/control/faults', { transfers });
  return {
    async statusOf(reference) {
      if (!account) throw new DemoFailure(`The gateway does not know the Adyen Transfers simulator on ${url}`);
      const [createdSince = '', createdUntil = ''] = [-DAY_MS, DAY_MS].map((ms) =>
        new Date(Date.now() + ms).toISOString(),
      );
      const query = { balanceAccountId: account.balanceAccount, createdSince, createdUntil, reference };
      const answer = await fetch(`${account.url}/transfers?${new URLSearchParams(query)}`, {
        headers: { 'x-api-key': account.apiKey.reveal() },
      });
      const { data = [] } = (await answer.json()) as { data?: readonly { readonly status: string }[] };
      return data.map(({ status }) => status).join(', ') || `nothing (HTTP ${answer.status})`;
    },
    async inHurry(work) {
      await tell('book_at_once');
      try {
        return await work();
      } finally {
        await tell('by_amount');
      }
    },
  };
}
