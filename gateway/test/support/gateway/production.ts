/** The environment of a safe production start, without providers. */
import { createHash } from 'node:crypto';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';

/** Looks random, but is the same in every run. */
export const RANDOM_LOOKING_KEY = createHash('sha256').update('a master key of tests').digest('base64');

export const PRODUCTION = {
  GATEWAY_ENV: 'production',
  GATEWAY_MASTER_KEY: RANDOM_LOOKING_KEY,
  DATABASE_URL: 'postgresql://gateway_serve@127.0.0.1/gateway',
} as const satisfies EnvironmentVariables;
