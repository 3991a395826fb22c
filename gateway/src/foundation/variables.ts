/**
 * The description of an environment variable: accepted values, default and purpose. This module also contains the readers and
 * rules that several variables share. The tables of variables are in main/config/gateway-variables.ts and in the folders of
 * the rails.
 */
import { resolve } from 'node:path';
import type { Environment } from './environment.ts';
import { Secret } from './secret.ts';
import { matching, type TextReader, wholeNumber } from './text/text-readers.ts';

/** Relative paths are resolved against this folder, whatever the working directory. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../../..');

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface Variable<Value> extends TextReader<Value> {
  /** The text that applies if the variable is unset. Null without a default. */
  readonly default: string | null | Readonly<Record<Environment, string | null>>;
  readonly meaning: string;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The value of each variable, or null if it is unset or invalid. */
export type ValuesOf<Own extends Variables> = {
  readonly [Name in keyof Own]: Exclude<ReturnType<Own[Name]['read']>, undefined> | null;
};

/** The input of a rule, in addition to the values. */
export interface Surroundings {
  readonly environment: Environment;
  /** The unparsed variables. A rule must not print their strings. */
  readonly variables: EnvironmentVariables;
  /** Returns the text in force: the variable's, or its default. */
  textOf(name: string): string | null;
}

/** Checks several variables together. Returns a fault as a sentence. */
export type Rule<Values> = (values: Values, surroundings: Surroundings) => string | undefined;

export const port = { ...wholeNumber(0, 65_535), accepts: 'a port from 1 to 65535, or 0 for any free port' };

export const host = matching(/^[A-Za-z0-9._:-]+$/, 'an address or a host name to listen on');

export const httpUrl = {
  read: (text: string) => {
    const url = URL.parse(text);
    return url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
      ? text.replace(/\/+$/, '')
      : undefined;
  },
  accepts: 'an http(s) URL without query',
};

export const httpsUrl = {
  read: (text: string) => (text.startsWith('https:') ? httpUrl.read(text) : undefined),
  accepts: 'an https URL without query',
};

export const secret = { read: (text: string) => new Secret(text), accepts: 'any text' };

/** A folder or a file. The reader makes the path absolute. */
export const filePath = {
  read: (text: string) => (text.includes('\0') ? undefined : resolve(PROJECT_ROOT, text)),
  accepts: "a path; a relative path starts at the project's root",
};

export const pemFile = { ...filePath, accepts: 'the path of a PEM file' };

/** `usual` is a cautious limit that applies until the operator agrees on a different one with the provider. */
export function payoutsAtOnce(provider: string, usual: number) {
  return {
    ...wholeNumber(1, 512),
    default: String(usual),
    meaning: `The maximum number of payouts in flight at ${provider} per process. Agree on it with the provider.`,
  };
}

/** After validation, a variable with a default is never null, and neither is one that a rule requires. */
export function given<Value>(value: Value | null): Value {
  return value as Value;
}

export function httpsInProduction<Name extends string>(
  ...names: readonly Name[]
): Rule<Readonly<Record<Name, string | null>>> {
  return (values, { environment }) => {
    const plain = names.filter((name) => values[name]?.startsWith('http:'));
    return environment === 'production' && plain.length > 0
      ? `${plain.join(' and ')} must begin with https:// in production`
      : undefined;
  };
}

/** Names of variables. Of an inner list, one is sufficient. */
export type Needed = readonly (string | readonly string[])[];

/** Returns the variables in `needed` that are unset. Of an inner list, it returns all or none. */
export function missingOf(needed: Needed, textOf: Surroundings['textOf']): readonly (readonly string[])[] {
  return needed.map((each) => [each].flat()).filter((names) => names.every((name) => textOf(name) === null));
}

/** Requires the other variables once the first is set. */
export function needs<Name extends string>(first: Name, ...others: Needed): Rule<Readonly<Record<Name, unknown>>> {
  return (values, { textOf }) => {
    const missing = missingOf(others, textOf).map((names) => names.join(' or '));
    return values[first] !== null && missing.length > 0
      ? `${first} is set, so ${missing.join(', ')} must be set too`
      : undefined;
  };
}

/** In production, rejects a value that is a development default, because our sources publish it. */
export function ownInProduction(own: Variables, ...names: readonly string[]): Rule<unknown> {
  return (_values, { environment, variables }) => {
    const known = names.filter((name) => {
      const fallback = own[name]?.default;
      return fallback !== null && typeof fallback === 'object' && fallback.development === variables[name];
    });
    return environment === 'production' && known.length > 0
      ? `${known.join(' and ')} must not be the default of development in production: it is public`
      : undefined;
  };
}

/** A rail sends its provider our URL as soon as it is enabled. A separate rule covers every rail in production. */
export function needsOwnAddress<Name extends string>(
  first: Name,
): Rule<Readonly<Record<Name | 'PUBLIC_URL' | 'PORT', unknown>>> {
  return (values, { environment, textOf }) => {
    const isKnown = environment === 'production' || textOf('PUBLIC_URL') !== null || values.PORT !== 0;
    return values[first] !== null && !isKnown
      ? `${first} is set, so PUBLIC_URL must be set too: the provider calls the gateway at this URL`
      : undefined;
  };
}
