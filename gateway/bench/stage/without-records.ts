/** Preloaded into a gateway process. It removes the code of the records as the modules load. */
import { registerHooks } from 'node:module';
import { withoutRecords } from './take-out-records.ts';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return loaded.source ? { ...loaded, source: withoutRecords(url, String(loaded.source)) } : loaded;
  },
});
