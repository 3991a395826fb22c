/** A simulator of HashiCorp Vault's transit engine: one key with versions, and tokens. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VaultUnderTest {
  readonly url: string;
  /** Returns the output of `vault write transit/encrypt/KEY`. */
  seal(text: string): string;
  rotate(): void;
  /** While true, Vault returns 503 to every request. */
  isSealed: boolean;
  /** Creates the string that it returns instead of JSON. If null, it returns valid JSON. */
  garbles: ((plaintext: string) => string) | null;
  readonly requests: { readonly path: string; readonly token: string | undefined }[];
  close(): Promise<void>;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

export async function startVault(key: string, token: string): Promise<VaultUnderTest> {
  const versions = [randomBytes(32)];
  const vault = {
    isSealed: false,
    garbles: null as VaultUnderTest['garbles'],
    requests: [] as { path: string; token: string | undefined }[],
  };
  const seal = (text: string) => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', versions.at(-1) ?? '', iv);
    const sealed = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    return `vault:v${versions.length}:${sealed.toString('base64')}`;
  };
  const open = (ciphertext: string): Buffer | undefined => {
    const [, version, base64 = ''] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? [];
    const sealed = Buffer.from(base64, 'base64');
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        versions[Number(version) - 1] ?? '',
        sealed.subarray(0, IV_BYTES),
      );
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      return undefined;
    }
  };
  const server = createServer(async (request, response) => {
    const given = request.headers['x-vault-token'] as string | undefined;
    vault.requests.push({ path: request.url ?? '', token: given });
    if (vault.isSealed) return reply(response, 503, { errors: ['Vault is sealed'] });
    if (given !== token) return reply(response, 403, { errors: ['permission denied'] });
    if (request.url !== `/v1/transit/decrypt/${key}`) return reply(response, 404, { errors: [] });
    const plaintext = open(JSON.parse(await bodyOf(request)).ciphertext);
    if (!plaintext) return reply(response, 400, { errors: ['invalid ciphertext'] });
    if (vault.garbles) return void response.end(vault.garbles(plaintext.toString('base64')));
    reply(response, 200, { data: { plaintext: plaintext.toString('base64') } });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(vault, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seal,
    rotate: () => void versions.push(randomBytes(32)),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  });
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
