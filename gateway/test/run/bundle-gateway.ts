/**
 * The gateway of tests that start it as a process (serve-gateway.ts), as one file with its packages. A start then takes
 * 0.43 s of CPU time. With the packages in files of their own it takes 0.71 s.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '../../..');
const ENTRY = join(ROOT, 'gateway/test/support/gateway/serve-gateway.ts');
/** pg loads it on demand, and it is not installed. */
const OPTIONAL = ['pg-native'];

/** Modules find their data files next to their source, wherever the bundle is. */
const KEEP_PLACES = {
  name: 'keep-places',
  transform(code: string, id: string): string {
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/** Writes the file into `folder`, and returns its path. */
export async function bundleGateway(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'node',
    external: OPTIONAL,
    plugins: [KEEP_PLACES],
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'serve-gateway.mjs', codeSplitting: false });
  await bundle.close();
  return join(folder, 'serve-gateway.mjs');
}
