/** Builds the bytes of a POST request. */

export function rawPost(url: URL, path: string, body: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const fields = {
    Host: url.host,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
}
