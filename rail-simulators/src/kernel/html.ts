/** What the pages of every simulated bank need of HTML. */
import type { Answer } from './http-server.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it may stand in a page, also in an attribute between quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

export function html(body: string, status = 200): Answer {
  return { status, body, contentType: 'text/html; charset=utf-8' };
}
