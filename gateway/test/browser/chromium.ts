/**
 * A Chromium for tests from npm packages, unpacked once into a folder named after its version, with its own libraries and
 * fonts. It needs no manual installation and uses nothing that is installed on the machine. `TEST_CHROMIUM` selects a
 * different Chromium, for platforms without a package.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { oncePerRun } from '../support/tools/once-per-run.ts';

const PACKAGES = join(import.meta.dirname, '../../../node_modules');
const PACKAGE = join(PACKAGES, '@sparticuz/chromium');
const ARCHIVES = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'];

/** The maximum wait on a busy machine. Everything that a test waits for happens within it. */
export const PATIENCE_MS = 120_000;

export async function openContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

export async function launchChromium(): Promise<Browser> {
  const own = process.env['TEST_CHROMIUM'];
  const folder = own === undefined ? await oncePerRun('chromium', unpackOnce) : undefined;
  return chromium.launch({
    executablePath: own ?? join(folder ?? '', 'chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      '--disable-domain-reliability',
      '--no-pings',
    ],
    env: { ...definedVariables(), ...(folder === undefined ? {} : ownLibraries(folder)) },
  });
}

function definedVariables(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

function ownLibraries(folder: string): Record<string, string> {
  return {
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    HOME: folder,
  };
}

/**
 * Each run unpacks into a separate folder. If two runs do so concurrently, the first to finish renames its folder to the final
 * name.
 */
async function unpackOnce(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const cache = join(PACKAGES, '.cache');
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unpacking = await mkdtemp(join(cache, 'unpacking-'));
  await unpackInto(unpacking);
  await writeFile(join(unpacking, 'fonts.conf'), fontConfiguration(folder));
  try {
    await rename(unpacking, folder);
  } catch (error) {
    await rm(unpacking, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Unpacks the package, which always uses the folder for temporary files and reuses files that exist there. */
async function unpackInto(folder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    for (const archive of ARCHIVES) await inflate(join(PACKAGE, 'bin', archive));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  // Fonts that contain the hryvnia and tenge signs.
  await cp(join(PACKAGES, 'dejavu-fonts-ttf/ttf'), join(folder, 'fonts/dejavu'), { recursive: true });
}

function fontConfiguration(folder: string): string {
  const families = ['sans-serif', 'system-ui'].map(
    (family) =>
      `<alias><family>${family}</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>`,
  );
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir>
${families.join('\n')}
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias></fontconfig>
`;
}
