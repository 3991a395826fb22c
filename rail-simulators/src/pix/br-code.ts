/** The bank's own encoder and decoder for dynamic BR Codes, written from the EMV format and the Central Bank's manual. */

interface Item {
  readonly id: string;
  readonly value: string;
}

const tlv = (items: readonly Item[]): string =>
  items.map(({ id, value }) => id + value.length.toString().padStart(2, '0') + value).join('');

/** `name` and `city` are ASCII, with at most 25 and 15 characters. */
export function dynamicCode(location: string, name: string, city: string): string {
  const account = tlv([
    { id: '00', value: 'br.gov.bcb.pix' },
    { id: '25', value: location },
  ]);
  const body = tlv([
    { id: '00', value: '01' },
    { id: '01', value: '12' },
    { id: '26', value: account },
    { id: '52', value: '0000' },
    { id: '53', value: '986' },
    { id: '58', value: 'BR' },
    { id: '59', value: name },
    { id: '60', value: city },
    { id: '62', value: tlv([{ id: '05', value: '***' }]) },
  ]);
  return `${body}6304${checkDigits(`${body}6304`)}`;
}

type ReadCode = { readonly location: string } | { readonly fault: string };

/** Interprets a pasted text as a bank app would. */
export function readCode(pasted: string): ReadCode {
  const code = pasted.trim();
  if (code.slice(-8, -4) !== '6304') return { fault: 'This is not a Pix code.' };
  if (checkDigits(code.slice(0, -4)) !== code.slice(-4).toUpperCase())
    return { fault: 'The check digits are invalid: a part of the code is missing or was changed.' };
  const account = read(code)?.find(({ id }) => id === '26');
  const parts = account && read(account.value);
  const isPix = parts?.find(({ id }) => id === '00')?.value.toLowerCase() === 'br.gov.bcb.pix';
  const location = parts?.find(({ id }) => id === '25')?.value;
  return isPix && location !== undefined ? { location } : { fault: 'This is not a dynamic Pix code.' };
}

function read(text: string): Item[] | undefined {
  const items: Item[] = [];
  let rest = text;
  while (rest !== '') {
    const length = /^\d{4}/.test(rest) ? Number(rest.slice(2, 4)) : Number.POSITIVE_INFINITY;
    if (rest.length < 4 + length) return undefined;
    items.push({ id: rest.slice(0, 2), value: rest.slice(4, 4 + length) });
    rest = rest.slice(4 + length);
  }
  return items;
}

/** The table of CRC-16 with the polynomial 1021 and the initial value FFFF. */
const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value & 0x8000 ? 0x1021 : 0);
  return value & 0xffff;
});

function checkDigits(text: string): string {
  const crc = [...Buffer.from(text, 'utf8')].reduce(
    (value, byte) => ((value << 8) & 0xffff) ^ (TABLE[(value >> 8) ^ byte] ?? 0),
    0xffff,
  );
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
