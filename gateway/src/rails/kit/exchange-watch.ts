/**
 * Shows the HTTP exchanges of one call to a provider to the code around that call, without passing anything through the
 * connector. It must change no exchange.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WireExchange } from '../../domain/exchanges/exchange-store.ts';

const watching = new AsyncLocalStorage<(exchange: WireExchange) => void>();

/** `note` receives each exchange that `work` and everything it waits for makes. */
export function watchExchanges<Result>(note: (exchange: WireExchange) => void, work: () => Result): Result {
  return watching.run(note, work);
}

export function noteExchange(exchange: () => WireExchange): void {
  const note = watching.getStore();
  if (note) note(exchange());
}
