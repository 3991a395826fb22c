/**
 * How an environment variable is described: what its text may be, what counts where it is unset, what it is for. And the
 * readers and rules that several of them share. The tables themselves are in main/config/gateway-variables.ts and the folders of the rails.
 */
import { resolve } from 'node:path';
import type { Environment } from './environment.ts';
import { Secret } from './secret.ts';
import { matching, type TextReader, wholeNumber } from './text-readers.ts';

/** Relative paths start here, whatever folder a command was given in. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../../..');

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface Variable<Value> extends TextReader<Value> {
  /** The text that counts when none is given; null = unset. */
  readonly default: string | null | Readonly<Record<Environment, string | null>>;
  readonly meaning: string;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** Null: unset, or at fault. */
export type ValuesOf<Own extends Variables> = {
  readonly [Name in keyof Own]: Exclude<ReturnType<Own[Name]['read']>, undefined> | null;
};

/** What a rule sees beside the values. */
export interface Surroundings {
  readonly environment: Environment;
  /** What was given, unread; a rule repeats none of it. */
  readonly variables: EnvironmentVariables;
  /** The text that counts, given or by default. */
  textOf(name: string): string | null;
}

/** What one variable alone does not show: a fault, as a sentence. */
export type Rule<Values> = (values: Values, surroundings: Surroundings) => string | undefined;

export const port = { ...wholeNumber(0, 65_535), accepts: 'a port from 1 to 65535, or 0 for any free one' };

export const host = matching(/^[A-Za-z0-9._:-]+$/, 'an address or a host name to listen on');

export const httpUrl = {
  read: (text: string) => {
    const url = URL.parse(text);
    return url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
      ? text.replace(/\/+$/, '')
      : undefined;
  },
  accepts: 'an http(s) address without query',
};

export const httpsUrl = {
  read: (text: string) => (text.startsWith('https:') ? httpUrl.read(text) : undefined),
  accepts: 'an https address without query',
};

export const secret = { read: (text: string) => new Secret(text), accepts: 'any text' };

/** A folder or a file; absolute once it is read. */
export const filePath = {
  read: (text: string) => (text.includes('\0') ? undefined : resolve(PROJECT_ROOT, text)),
  accepts: "a path; a relative one starts at the project's root",
};

export const pemFile = { ...filePath, accepts: 'the path of a PEM file' };

/** `usual`: careful, for as long as nothing else was agreed with the provider. */
export function payoutsAtOnce(provider: string, usual: number) {
  return {
    ...wholeNumber(1, 512),
    default: String(usual),
    meaning: `The maximum number of payouts in flight at ${provider} per process. Agree on it with the provider.`,
  };
}

/** Variables with a default are never null once no fault was found, nor those that a rule asks for. */
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

/** A rail is on where the first is set; then the others must be, too. */
export function needs<Name extends string>(
  first: Name,
  ...others: readonly string[]
): Rule<Readonly<Record<Name, unknown>>> {
  return (values, { textOf }) => {
    const missing = others.filter((name) => textOf(name) === null);
    return values[first] !== null && missing.length > 0
      ? `${first} is set, so ${missing.join(', ')} must be set too`
      : undefined;
  };
}

/** What stands in our own sources opens nothing in production. */
export function ownInProduction(own: Variables, ...names: readonly string[]): Rule<unknown> {
  return (_values, { environment, variables }) => {
    const known = names.filter((name) => {
      const fallback = own[name]?.default;
      return fallback !== null && typeof fallback === 'object' && fallback.development === variables[name];
    });
    return environment === 'production' && known.length > 0
      ? `${known.join(' and ')} must not be the default of development in production: everybody knows it`
      : undefined;
  };
}

/** A rail gives its provider our address as soon as it is on. Production has a rule of its own for every rail. */
export function needsOwnAddress<Name extends string>(
  first: Name,
): Rule<Readonly<Record<Name | 'PUBLIC_URL' | 'PORT', unknown>>> {
  return (values, { environment, textOf }) => {
    const isKnown = environment === 'production' || textOf('PUBLIC_URL') !== null || values.PORT !== 0;
    return values[first] !== null && !isKnown
      ? `${first} is set, so PUBLIC_URL must be set too: the provider is told where to call`
      : undefined;
  };
}
