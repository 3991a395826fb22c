/** Returns the program folder of a PostgreSQL with Citus, or undefined if none is installed and CITUS_PROGRAMS is not set. */
import { globSync } from 'node:fs';

const [, installed] =
  /postgresql\/(\d+)\//.exec(globSync('/usr/share/postgresql/*/extension/citus.control')[0] ?? '') ?? [];

export const CITUS_PROGRAMS = process.env['CITUS_PROGRAMS'] ?? (installed && `/usr/lib/postgresql/${installed}/bin`);
export const NO_CITUS =
  CITUS_PROGRAMS === undefined && 'no PostgreSQL with Citus is installed, and CITUS_PROGRAMS is not set';
