/**
 * How the pages are built. The endpoints of the management API become a small table of methods and paths, so that the
 * browser loads no schema. The theme becomes a style sheet, so that a page needs no script for it. The gateway replaces the
 * nonce in each answer.
 */
import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { canBeBound, type Endpoint, isAct } from '../gateway/contract/endpoint.ts';
import { ENDPOINTS } from '../gateway/contract/endpoints.ts';
import { NONCE_PLACEHOLDER } from '../gateway/contract/portal-page.ts';
import { theme } from './src/theme.ts';

const ENDPOINT_TABLE = 'virtual:endpoints';

function endpointTable(): Plugin {
  const rows = Object.entries<Endpoint>(ENDPOINTS).map(([name, endpoint]) => {
    const { stepUp = false, rehearsal } = endpoint;
    const boundBy = canBeBound(endpoint) ? endpoint.audience : null;
    return [name, [endpoint.method, endpoint.path, isAct(endpoint), stepUp, rehearsal !== undefined, boundBy]];
  });
  return {
    name: 'endpoint-table',
    resolveId: (id) => (id === ENDPOINT_TABLE ? `\0${id}` : undefined),
    load: (id) =>
      id === `\0${ENDPOINT_TABLE}` ? `export default ${JSON.stringify(Object.fromEntries(rows))}` : undefined,
  };
}

const THEME_STYLES = 'virtual:theme.css';
const THEME_FILE = '/virtual-theme.css';

function themeStyles(): Plugin {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  const styles = convertCssVariables(
    {
      variables,
      light: { ...light, '--mantine-color-scheme': 'light' },
      dark: { ...dark, '--mantine-color-scheme': 'dark' },
    },
    ':root',
  );
  return {
    name: 'theme-styles',
    resolveId: (id) => (id === THEME_STYLES ? THEME_FILE : undefined),
    load: (id) => (id === THEME_FILE ? styles : undefined),
  };
}

/**
 * Each small file costs a request, so that the libraries and parts of most pages lie in one. The first script of a visitor and
 * the pages before a session need that file not at all.
 */
const CHUNKS = [
  { name: 'client', priority: 2, test: /src\/(?:browser|api\/(?:client|api-error))|virtual:endpoints|preload-helper/ },
  {
    name: 'react',
    priority: 2,
    test: /modules\/(?:react|react-dom|scheduler)\/|icons-react\/dist\/esm\/[cd]|src\/(?:words\/words\.ts|parts\/(?:loading|moment))/,
  },
  { name: 'shared', minShareCount: 20, test: /node_modules\/(?:@mantine|@tanstack)\/|src\/parts\// },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), endpointTable(), themeStyles()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
});
