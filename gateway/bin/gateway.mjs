#!/usr/bin/env node
// `npx gateway …` and `node gateway/bin/gateway.mjs …`: the command line of the gateway, run by a Node that can.
import { refuseOldNode } from './node-version.mjs';

if (!refuseOldNode()) import('./run-gateway.mjs');
