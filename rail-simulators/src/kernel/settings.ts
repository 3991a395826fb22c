/** A simulator's settings as a table: each with its variable, default and accepted values. */
import { resolve } from 'node:path';
import { isHttpUrl } from './fields.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Check = readonly [holds: boolean, fault: string];

export interface Read<Settings> {
  readonly settings: Settings;
  readonly checks: readonly Check[];
}

interface Setting<Value> {
  readonly variable: string;
  readonly usual: string | ((environment: Environment) => string);
  readonly holds: (text: string) => boolean;
  /** The end of an error message that begins with the variable: `must …`. */
  readonly must: string;
  readonly read: (text: string, projectRoot: string) => Value;
}

/** Related settings may form a group. */
type Table = { readonly [Name in string]: Setting<unknown> | Table };

export type SettingsOf<Settings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer Value> ? Value : SettingsOf<Settings[Name]>;
};

const asItIs = (text: string) => text;
const isFilled = (text: string) => text !== '';

export function port(variable: string, usual: number): Setting<number> {
  const holds = (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
  return { variable, usual: String(usual), holds, must: 'be a port (0 takes a free one)', read: Number };
}

export function filled(variable: string, usual: string): Setting<string> {
  return { variable, usual, holds: isFilled, must: 'not be empty', read: asItIs };
}

/** `be` describes the shape in words. */
export function shaped(variable: string, usual: string, shape: RegExp, be: string): Setting<string> {
  return { variable, usual, holds: (text) => shape.test(text), must: `be ${be}`, read: asItIs };
}

export function httpUrl(variable: string, usual: Setting<string>['usual']): Setting<string> {
  return { variable, usual, holds: isHttpUrl, must: 'be an http(s) address', read: asItIs };
}

/** `of` names the object at the path. A relative path starts at the project's root. */
export function path(variable: string, usual: string, of: string): Setting<string> {
  const read = (text: string, projectRoot: string) => resolve(projectRoot, text);
  return { variable, usual, holds: isFilled, must: `be the path of ${of}`, read };
}

export function onOff(variable: string): Setting<boolean> {
  const holds = (text: string) => text === 'on' || text === 'off';
  return { variable, usual: 'on', holds, must: 'be on or off', read: (text) => text === 'on' };
}

export function readSettings<Settings extends Table>(
  table: Settings,
  environment: Environment,
  projectRoot: string,
): Read<SettingsOf<Settings>> {
  const checks: Check[] = [];
  const readOne = (one: Setting<unknown> | Table): unknown => {
    if (!isSetting(one)) return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, readOne(inner)]));
    const { variable, usual, holds, must } = one;
    const text = environment[variable] ?? (typeof usual === 'string' ? usual : usual(environment));
    checks.push([holds(text), `${variable} must ${must}`]);
    return one.read(text, projectRoot);
  };
  return { settings: readOne(table) as SettingsOf<Settings>, checks };
}

function isSetting(one: Setting<unknown> | Table): one is Setting<unknown> {
  return 'holds' in one && typeof one.holds === 'function';
}
