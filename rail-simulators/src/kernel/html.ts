/** HTML that the pages of all simulated banks share. */
import type { Answer } from './http-server.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML content and quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

export function html(body: string, status = 200): Answer {
  return { status, body, contentType: 'text/html; charset=utf-8' };
}
