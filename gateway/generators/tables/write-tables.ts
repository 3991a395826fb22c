/** Writes the generated tables into the pages. Run it with `npx node gateway/generators/tables/write-tables.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPages, ROOT } from '../pages.ts';
import { withFreshTables } from './generated-tables.ts';

for (const page of allPages()) {
  const fresh = withFreshTables(page);
  if (fresh === page.text) continue;
  writeFileSync(join(ROOT, page.path), fresh);
  console.log(`wrote ${page.path}`);
}
