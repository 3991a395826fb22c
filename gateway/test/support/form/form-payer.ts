/**
 * A payer at the hosted form, with the abilities of a browser without JavaScript: it follows links, fills in forms and presses
 * buttons.
 */
import assert from 'node:assert/strict';
import { type Received, type SentRequest, sendRequest } from '../tools/send-request.ts';

export interface FormPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The path and query of the page. */
  readonly address: string;
  /** The page's main heading. */
  readonly heading: string;
  /** The token in the page's URL. */
  readonly token: string;
  /** The actions that the page's forms offer. */
  readonly acts: readonly string[];
  /** Returns the hidden fields of the form for that action. */
  hidden(act: string): Readonly<Record<string, string>>;
}

export interface FormPayer {
  /** Everything that this payer received, as bytes. */
  readonly seen: string[];
  /** Requests the URL and follows redirects within the form. */
  open(address: string, headers?: Readonly<Record<string, string>>): Promise<FormPage>;
  /**
   * Presses the button for that action, and confirms if the page asks. `fields` contains the payer's input or the button's
   * value.
   */
  press(page: FormPage, act: string, fields?: Readonly<Record<string, string>>): Promise<FormPage>;
  /** Posts any body, and follows redirects within the form. */
  post(address: string, body: string | URLSearchParams, headers?: Readonly<Record<string, string>>): Promise<FormPage>;
}

/** `given` contains the headers of every request. By default, the payer reads English. */
export function createFormPayer(origin: string, given: Readonly<Record<string, string>>): FormPayer {
  const headers = { 'accept-language': 'en', ...given };
  const seen: string[] = [];

  async function request(address: string, sent: SentRequest): Promise<FormPage> {
    const received = await sendRequest(origin + address, sent);
    seen.push(`${[...received.headers].map((pair) => pair.join(': ')).join('\n')}\n${received.text}`);
    assert.equal(received.headers.get('referrer-policy'), 'no-referrer', address);
    const location = received.headers.get('location');
    if (received.status !== 303 || location === null) return pageOf(received, address);
    return request(location, { headers });
  }

  const post: FormPayer['post'] = (address, body, more = {}) =>
    request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers, ...more },
      body: body.toString(),
    });

  return {
    seen,
    open: (address, more = {}) => request(address, { headers: { ...headers, ...more } }),
    async press(page, act, fields = {}) {
      assert.ok(page.acts.includes(act), `${page.heading}: no ${act} among ${page.acts}`);
      const answer = await post(page.address, new URLSearchParams({ ...page.hidden(act), ...fields }));
      const isAsked = act === 'cancel' && answer.acts.includes('continue_paying') && answer.acts.includes('cancel');
      return isAsked ? this.press(answer, act) : answer;
    },
    post,
  };
}

export function pageOf({ status, headers, text }: Received, address: string): FormPage {
  const forms = new Map(
    (text.match(/<form method="post"[\s\S]*?<\/form>/g) ?? []).map((form) => {
      const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
      const fields = Object.fromEntries(inputs.map(([, name, value]) => [name ?? '', unescaped(value ?? '')]));
      return [fields['act'] ?? '', fields] as const;
    }),
  );
  return {
    status,
    headers,
    text,
    address: ownAddress(text) ?? address,
    heading: unescaped(/<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? ''),
    token: /\/payment\/form\/([A-Za-z0-9]{43})/.exec(address)?.[1] ?? '',
    acts: [...forms.keys()],
    hidden: (act) => forms.get(act) ?? {},
  };
}

/** Returns the action of the page's forms, which is the browser's current URL. */
function ownAddress(text: string): string | undefined {
  const action = /<form method="post" action="(\/payment\/form\/[^"]*)"/.exec(text)?.[1];
  return action === undefined ? undefined : unescaped(action);
}

export function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '');
}
