/** Runs the recipes in sdk/recipes as a merchant would, each on a separate port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createShop, type ShopOptions } from '../../../sdk/recipes/next-shop.ts';
import { until } from '../support/tools/until.ts';

const RECIPES = join(import.meta.dirname, '../../../sdk/recipes');

interface RunningRecipe {
  readonly printed: () => string;
  close(): void;
}

/** Starts a program that listens on `port`. */
export async function startProgram(
  program: string,
  words: readonly string[],
  port: number,
  variables: Readonly<Record<string, string>>,
): Promise<RunningRecipe> {
  const child: ChildProcess = spawn(program, words, {
    cwd: RECIPES,
    env: { ...process.env, PORT: String(port), ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await until(`${program} listens`, () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  return { printed: () => printed, close: () => void child.kill() };
}

/** Starts the routes of the Next.js shop on a Node server. */
export async function startNextShop(port: number, options: ShopOptions): Promise<RunningRecipe> {
  const shop = createShop(options);
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const given = new Request(`http://shop${pathname}`, { method: 'POST', headers, body: Buffer.concat(chunks) });
    const answer =
      pathname === '/callback'
        ? await shop.receiveCallback(given)
        : request.method === 'POST'
          ? await shop.placeOrder(given)
          : shop.readOrder(pathname.slice('/orders/'.length));
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { printed: () => '', close: () => void server.close() };
}
