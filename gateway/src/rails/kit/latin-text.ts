/** Converts texts to unaccented Latin letters and a few signs, which card networks and processors accept. Pure. */

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
 * Keeps the blank and the single characters that `allowed` matches. Returns an empty text if a letter would be lost, because
 * a name without some of its letters is another person's name.
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
