/** How the settings of one simulator are read from an environment, and the checks that several of them share. */

export type Environment = Readonly<Record<string, string | undefined>>;
export type Check = readonly [holds: boolean, fault: string];

export interface ReadSettings<Settings> {
  readonly settings: Settings;
  readonly checks: readonly Check[];
}

export const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
export const isHttpUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
export const isSwitch = (text: string) => text === 'on' || text === 'off';
