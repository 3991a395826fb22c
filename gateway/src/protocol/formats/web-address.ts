/** Addresses of web pages that a merchant names and a payer may follow. Nothing is looked up. */

/** Absolute, http or https, without a user name or password, without spaces and controls that URL readers drop. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
