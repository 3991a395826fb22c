/**
 * The gateway of tests that start it as a process (serve-gateway.ts), as one file. Loading it from there takes half of
 * the CPU time of loading each module from its own file, and a run starts some hundred gateways.
 */
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '../../..');
const ENTRY = join(ROOT, 'gateway/test/support/gateway/serve-gateway.ts');
/** Our files, and the bundler's helper for a template that contains a script's end. */
const OWN = /^(?:[./]|@oxc-project\/)/;

/** Modules find their data files beside their source, wherever the bundle is. */
const KEEP_PLACES = {
  name: 'keep-places',
  transform(code: string, id: string): string {
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/** Writes the file into `folder`, and returns its path. The packages stay in `node_modules`. */
export async function bundleGateway(folder: string): Promise<string> {
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'node',
    external: (id) => !OWN.test(id),
    plugins: [KEEP_PLACES],
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'serve-gateway.mjs', codeSplitting: false });
  await bundle.close();
  return join(folder, 'serve-gateway.mjs');
}
