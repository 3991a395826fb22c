/** Runs the command line of the gateway. It installs nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { launch } from './launch.mjs';

const ROOT = join(import.meta.dirname, '../..');

if (existsSync(join(ROOT, 'node_modules'))) {
  // The parent is npx. A parent that starts this file without npx may end first.
  if (process.env.npm_command === 'exec') endWithNpm();
  launch(join(ROOT, 'gateway/src/main/cli.ts'), process.argv.slice(2));
} else {
  console.error('The packages are not installed. Run "npm ci" first.');
  process.exitCode = 1;
}
