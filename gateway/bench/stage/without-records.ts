/** Preloaded into a gateway process: it loses the code of its records as it loads. */
import { registerHooks } from 'node:module';
import { withoutRecords } from './take-out-records.ts';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return loaded.source ? { ...loaded, source: withoutRecords(url, String(loaded.source)) } : loaded;
  },
});
