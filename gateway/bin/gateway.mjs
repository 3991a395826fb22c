#!/usr/bin/env node
// `npx gateway …`: the command line of the gateway, run by a Node that can.
import { join } from 'node:path';
import { launch } from './launch.mjs';

launch(join(import.meta.dirname, '../src/main/cli.ts'), process.argv.slice(2));
