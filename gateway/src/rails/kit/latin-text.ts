/** Converts texts to unaccented letters and a few signs, which banks, card networks and processors accept. Pure. */

/** Letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
};

/**
 * Keeps spaces and the single characters that `allowed` matches. Returns an empty string if a letter would be lost, because a
 * name without some of its letters is a different name.
 */
export function latinText(text: string, allowed: RegExp): string {
  const plain = text
    .replace(/[ßẞæÆœŒøØđĐðÐłŁþÞı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '');
  const kept = Array.from(plain, (character) => (allowed.test(character) ? character : ' '));
  const hasLost = Array.from(plain).some((character, at) => /\p{L}/u.test(character) && kept[at] === ' ');
  return hasLost ? '' : kept.join('').replace(/ +/g, ' ').trim();
}

/**
 * Returns a text as banks print it: without accents, with a space for each run of characters that `refused` matches, and with
 * at most `length` characters.
 */
export function asciiText(text: string, refused: RegExp, length: number): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(refused, ' ');
  return plain.replace(/ +/g, ' ').trim().slice(0, length).trim();
}
