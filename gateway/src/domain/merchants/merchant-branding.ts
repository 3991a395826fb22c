/** The settings by which payers recognise a merchant on the hosted form. Payers read each of these strings. */
import { matching, type TextReader } from '../../foundation/text/text-readers.ts';
import { LOGO_READER } from './logo/merchant-logo.ts';
import { setting } from './setting.ts';

const PAGE_ADDRESS: TextReader<string> = {
  read: (text) => (isPageAddress(text) ? text : undefined),
  accepts: 'a URL such as https://shop.example/terms',
};

/** The page links to it, so it must have no credentials and no scheme that runs a script. */
function isPageAddress(text: string): boolean {
  const url = URL.parse(text);
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  return isWeb && text.length <= 500 && /^[\x21-\x7e]+$/.test(text) && url?.username === '' && url.password === '';
}

const SUPPORT: TextReader<string> = {
  read: (text) => (/^[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+$/.test(text) || isPageAddress(text) ? text : undefined),
  accepts: 'an email address, or a URL such as https://shop.example/help',
};

export const BRANDING_SETTINGS = {
  display_name: setting(
    matching(/^(?=.*\S)[^\p{Cc}]{1,60}$/u, 'a name of at most 60 characters'),
    null,
    'the name that payers read on the form and on receipts; defaults to the registered name',
  ),
  logo: setting(LOGO_READER, null, 'the picture next to the name on the form'),
  brand_color: setting(
    matching(/^#[\da-f]{6}$/, 'a colour such as #0b5c56, in lower case'),
    null,
    'the colour from which the form computes its own, always with enough contrast in light and dark mode; defaults to petrol',
  ),
  support_contact: setting(SUPPORT, null, 'where payers with a question find help'),
  terms_url: setting(PAGE_ADDRESS, null, 'your terms, linked from the form'),
  privacy_url: setting(PAGE_ADDRESS, null, 'your privacy notice, linked from the form'),
} as const;
