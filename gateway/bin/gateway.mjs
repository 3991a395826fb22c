#!/usr/bin/env node
// `npx gateway …`: the command line of the gateway, run by a Node that can. It installs nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './launch.mjs';

const ROOT = join(import.meta.dirname, '../..');

if (existsSync(join(ROOT, 'node_modules'))) {
  launch(join(ROOT, 'gateway/src/main/cli.ts'), process.argv.slice(2));
} else {
  console.error('The packages are not installed. Run "npm ci" first.');
  process.exitCode = 1;
}
