/** The style sheet of a merchant's colour. Its address contains the colour and changes with the sheet's content. */
import { createHash } from 'node:crypto';
import { type Scheme, themeColours } from '../../../../contract/look/brand-theme.ts';

const HASH_LENGTH = 8;
const NAME = /^([\da-f]{6})\.([\da-f]{8})\.css$/;

/** `colour` has the format of the merchant's setting, such as `#0b5c56`. */
export function themeName(colour: string): string {
  return `${colour.slice(1)}.${hashOf(themeStyle(colour))}.css`;
}

/** Returns undefined if no page links to such a sheet. */
export function findTheme(name: string): string | undefined {
  const [, digits = '', hash] = NAME.exec(name) ?? [];
  const style = hash === undefined ? undefined : themeStyle(`#${digits}`);
  return style !== undefined && hashOf(style) === hash ? style : undefined;
}

function themeStyle(colour: string): string {
  return `${rootStyle(colour, 'light')}@media (prefers-color-scheme: dark) {\n${rootStyle(colour, 'dark')}}\n`;
}

function rootStyle(colour: string, scheme: Scheme): string {
  const lines = Object.entries(themeColours(colour, scheme)).map(([name, value]) => `--${name}: ${value};`);
  return `:root {\n${lines.join('\n')}\n}\n`;
}

function hashOf(style: string): string {
  return createHash('sha256').update(style).digest('hex').slice(0, HASH_LENGTH);
}
