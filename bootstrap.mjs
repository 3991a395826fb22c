/**
 * The start of every npm script: `node bootstrap.mjs PROGRAM …`. It says when the Node at hand is too old for the rest.
 *
 * The scripts begin with `exec`: npm then signals this process, and not a shell that would end without passing it on.
 */
import { refuseOldNode } from './gateway/bin/node-version.mjs';

if (!refuseOldNode()) import('./gateway/bin/run-script.mjs');
