/** What the settings of every simulator are checked by, whoever reads them. */

export type Environment = Readonly<Record<string, string | undefined>>;
export type Check = readonly [holds: boolean, fault: string];

export interface Read<Settings> {
  readonly settings: Settings;
  readonly checks: readonly Check[];
}

export const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
export const isHttpUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
export const isSwitch = (text: string) => text === 'on' || text === 'off';
