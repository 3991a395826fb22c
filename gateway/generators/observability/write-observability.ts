/** Writes deploy/prometheus/rules.yml and deploy/grafana: `npx node gateway/generators/observability/write-observability.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../pages.ts';
import { observabilityFiles } from './observability-files.ts';

for (const [path, text] of Object.entries(observabilityFiles())) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
  console.log(`wrote ${path}`);
}
