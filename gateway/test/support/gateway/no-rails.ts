/** A gateway without rails, to which a test adds its own. */
import { RAILS, type RailsConfiguration } from '../../../src/rails/registry.ts';

export const NO_RAILS = Object.fromEntries(Object.keys(RAILS).map((key) => [key, null])) as RailsConfiguration;
