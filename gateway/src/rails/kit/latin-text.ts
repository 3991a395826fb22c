/** Texts as card networks and their processors take them: unaccented Latin letters and a few signs. Pure. */

/** Letters that no accent makes. */
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
 * What `allowed` (single characters, beside the blank) leaves of the text; empty when that takes a letter away, since a
 * name without some of its letters is somebody else's.
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
