/**
 * Writes openapi/: `npx node gateway/generators/openapi/write-openapi.ts`, after a change of gateway/contract or of the
 * merchants' API.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeApi } from '../../contract/describe-api.ts';
import { describeWires } from '../../src/protocol/reference/describe-wires.ts';
import { ROOT } from '../pages.ts';

for (const [path, document] of [
  ['openapi/manage.json', describeApi()],
  ['openapi/gateway.json', describeWires()],
] as const) {
  writeFileSync(join(ROOT, path), `${JSON.stringify(document, null, 2)}\n`);
  console.log(`wrote ${path}`);
}

// The collections are built from the file that is written above.
const { collectionFiles } = await import('./collections.ts');
for (const [path, text] of Object.entries(collectionFiles())) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
  console.log(`wrote ${path}`);
}
