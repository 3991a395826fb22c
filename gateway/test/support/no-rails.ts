/** A gateway without any rail, for a test to add its own to. */
import { RAILS, type RailsConfiguration } from '../../src/rails/registry.ts';

export const NO_RAILS = Object.fromEntries(Object.keys(RAILS).map((key) => [key, null])) as RailsConfiguration;
