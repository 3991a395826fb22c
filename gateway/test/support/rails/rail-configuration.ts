/** The rails that an environment configures, and the errors of an invalid environment. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type Config, type EnvironmentVariables, readConfig } from '../../../src/main/config/config.ts';

export function railsOf(variables: EnvironmentVariables): Config['rails'] {
  const read = readConfig(variables);
  assert.ok(read.ok, inspect(read));
  return read.value.rails;
}

export function faultsOf(variables: EnvironmentVariables): readonly string[] {
  const read = readConfig(variables);
  return read.ok ? [] : read.error;
}
