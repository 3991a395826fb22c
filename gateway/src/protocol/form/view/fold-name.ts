/**
 * The letters by which a payer finds a bank: `münchen`, `muenchen`, `munchen` and `мюнхен` find the same name. It compares
 * and is never shown, so it may fold more than a transliteration would.
 */

/** Letters that a decomposition does not reduce to a Latin one. Cyrillic serves Ukrainian, Kazakh and Russian. */
export const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'a',
  œ: 'o',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
  ı: 'i',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'h',
  ґ: 'g',
  д: 'd',
  е: 'e',
  є: 'ie',
  ж: 'zh',
  з: 'z',
  и: 'i',
  і: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'z',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'i',
  ь: '',
  э: 'e',
  ю: 'u',
  я: 'ia',
  ә: 'a',
  ғ: 'g',
  қ: 'k',
  ң: 'n',
  ө: 'o',
  ұ: 'u',
  ү: 'u',
  һ: 'h',
};

/** Spellings of one sound, in this order. German writes ü as ue. Ukrainian reads г as h and writes g with it. */
export const SPELLINGS: readonly (readonly [string, string])[] = [
  ['ae', 'a'],
  ['oe', 'o'],
  ['ue', 'u'],
  ['sch', 'sh'],
  ['ph', 'f'],
  ['ch', 'h'],
  ['kh', 'h'],
  ['g', 'h'],
  ['c', 'k'],
  ['q', 'k'],
  ['x', 'ks'],
  ['w', 'v'],
  ['y', 'i'],
  ['j', 'i'],
  ["'", ''],
  ['’', ''],
];

/** The page's script contains this function as text, so it must use nothing outside itself. */
export function foldName(
  text: string,
  letters: Readonly<Record<string, string>>,
  spellings: readonly (readonly [string, string])[],
): string {
  const plain = [...text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((one) => letters[one] ?? one)
    .join('');
  let folded = plain;
  // One spelling may complete another: "kg" becomes "kh".
  for (let before = ''; before !== folded; ) {
    before = folded;
    const spelled = spellings.reduce((all, [from, to]) => all.replaceAll(from, to), folded);
    folded = spelled.replace(/(\p{L})\1+/gu, '$1').trim();
  }
  return folded;
}
