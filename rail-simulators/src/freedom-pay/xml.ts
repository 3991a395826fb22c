/** The flat XML in which Freedom Pay answers. */
import type { Answer } from '../kernel/http-server.ts';
import type { Fields } from './signature.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function xmlAnswer(fields: Fields): Answer {
  const content = Object.entries(fields).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return {
    status: 200,
    contentType: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?>\n<response>${content.join('')}</response>\n`,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);
}
