/** The format of web addresses that a merchant names and a payer may follow. It must not resolve names. */

/** An absolute http or https URL without credentials, spaces, or the control characters that URL parsers drop. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
