/**
 * A few SPEI participants: the first three digits of a CLABE mapped to the five digits of its institution. A bank's code
 * begins with 40, most others with 90. STP's catalogue has the complete list.
 */
export const STP_INSTITUTION = '90646';

const INSTITUTIONS: ReadonlyMap<string, string> = new Map(
  ['002', '012', '014', '021', '030', '036', '042', '044', '058', '062', '072', '127', '137']
    .map((bank): [string, string] => [bank, `40${bank}`])
    .concat(['638', '646', '722'].map((other): [string, string] => [other, `90${other}`])),
);

const KNOWN = new Set(INSTITUTIONS.values());

export function institutionOf(clabe: string): string | undefined {
  return INSTITUTIONS.get(clabe.slice(0, 3));
}

export function isInstitution(code: string): boolean {
  return KNOWN.has(code);
}
