/** The operations on batches. */
import { uploadBatch } from '../../../domain/batches/upload-batch.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import { readBatchFile } from '../../../protocol/batches/read-batch-file.ts';
import type { GatewayCore } from '../gateway-core.ts';

export function batchOperations(core: GatewayCore): GatewayOperations['batches'] {
  const { batches: store, directory: merchants, clock } = core;
  return {
    upload: withParts(uploadBatch, { ...core, store, merchants, readFile: readBatchFile }),
    find: store.find,
    findByPayout: store.findByPayout,
    list: store.list,
    rows: store.rows,
    submit: (key, submitter) => store.submit(key, submitter, clock.now()),
    cancel: (key, actor) => store.cancel(key, actor, clock.now()),
  };
}
