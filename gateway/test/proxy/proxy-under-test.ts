/** Runs the proxy examples in deploy/ with the real nginx and Caddy on free ports, in front of the gateway's HTTP server. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { ROOT } from '../../generators/pages.ts';
import { freePort } from '../support/gateway/running-gateway.ts';
import { until } from '../support/tools/until.ts';

interface Upstreams {
  readonly pay: number;
  readonly manage: number;
}

export interface RunningProxy {
  readonly port: number;
  readonly hosts: { readonly pay: string; readonly manage: string };
  stop(): Promise<void>;
}

interface ProxyUnderTest {
  readonly name: string;
  readonly isInstalled: boolean;
  start(upstreams: Upstreams, folder: string): Promise<RunningProxy>;
}

const isInstalled = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

export const PROXIES: readonly ProxyUnderTest[] = [
  { name: 'nginx', isInstalled: isInstalled('nginx', '-v'), start: startNginx },
  { name: 'Caddy', isInstalled: isInstalled('caddy', 'version'), start: startCaddy },
];

export function makeFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Creates a self-signed certificate and its key. */
export function makeCertificate(folder: string, name: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = [
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
  ];
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}

async function startNginx({ pay, manage }: Upstreams, folder: string): Promise<RunningProxy> {
  const port = await freePort();
  for (const name of ['pay', 'manage']) makeCertificate(folder, name);
  const example = readFileSync(join(ROOT, 'deploy/nginx/gateway.conf'), 'utf8')
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/nginx/tls/bank-authority.crt', join(folder, 'bank.crt'))
    .replaceAll('/etc/nginx/tls', folder)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${pay}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${manage}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  // The default nginx.conf of a machine usually compresses.
  const whole = `${user} daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; gzip on; gzip_types *; gzip_min_length 1; ${paths}\n${example}\n}`;
  writeFileSync(join(folder, 'nginx.conf'), whole);
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return running(child, port, { pay: 'pay.example.com', manage: 'manage.example.com' });
}

async function startCaddy({ pay, manage }: Upstreams, folder: string): Promise<RunningProxy> {
  const port = await freePort();
  const example = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8')
    .replace('reverse_proxy api:8080', `reverse_proxy 127.0.0.1:${pay}`)
    .replace('reverse_proxy manage:8081', `reverse_proxy 127.0.0.1:${manage}`);
  const options = `{\n\tadmin off\n\tskip_install_trust\n\tlocal_certs\n\tauto_https disable_redirects\n\thttps_port ${port}\n}\n`;
  writeFileSync(join(folder, 'Caddyfile'), `${options}${example}`);
  const home = join(folder, 'home');
  mkdirSync(home);
  const hosts = { pay: 'pay.localhost', manage: 'manage.localhost' };
  const child = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return running(child, port, hosts);
}

async function running(child: ChildProcess, port: number, hosts: RunningProxy['hosts']): Promise<RunningProxy> {
  const complaints: string[] = [];
  child.stderr?.on('data', (part: Buffer) => void complaints.push(part.toString()));
  const exited = once(child, 'exit');
  await until('the proxy listens', async () => {
    if (child.exitCode !== null) throw new Error(complaints.join(''));
    return (await isReady(port, hosts.pay)) && isReady(port, hosts.manage);
  });
  return {
    port,
    hosts,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Caddy listens before it has created its certificates. */
function isReady(port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export interface Asked {
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly certificate?: { readonly cert: string; readonly key: string };
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The time between the first and the last bytes of the body. */
  readonly tookMs: number;
}

/** Connects from 127.0.0.2, so that the client's address differs from the proxy's. */
export function ask({ port }: RunningProxy, asked: Asked): Promise<Answered> {
  const { host, path = '/', method = 'GET', headers = {}, body, certificate } = asked;
  const identity = certificate && { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        servername: host,
        localAddress: '127.0.0.2',
        rejectUnauthorized: false,
        path,
        method,
        headers: { host, ...headers },
        agent: false,
        ...identity,
      },
      (answer) => {
        const parts: Buffer[] = [];
        let firstAt = 0;
        answer.on('data', (part: Buffer) => {
          firstAt ||= performance.now();
          parts.push(part);
        });
        answer.on('end', () => {
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(parts).toString('latin1'),
            tookMs: performance.now() - firstAt,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
