/** `npm run docs`: writes the site into docs-site/dist. Any web server can serve the folder, at any path. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildSite } from './site.ts';

const target = join(import.meta.dirname, 'dist');
await rm(target, { recursive: true, force: true });
const files = buildSite();
for (const { path, content } of files) {
  const file = join(target, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
console.log(`The site of the docs has ${files.length} files in ${target}. Serve the folder with any web server.`);
