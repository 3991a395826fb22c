/**
 * The build of the pages. The endpoints of the management API become a small table of methods and paths, so that the browser
 * loads no schema. The theme becomes a style sheet, so that a page needs no script for it. The gateway replaces the nonce in
 * each response.
 */
import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { ENDPOINTS } from '../gateway/contract/endpoints.ts';
import { canBeBound, type Endpoint, isAct } from '../gateway/contract/parts/endpoint.ts';
import { NONCE_PLACEHOLDER } from '../gateway/contract/portal-page.ts';
import { theme } from './src/look/theme.ts';

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

const UNUSED_COLORS = /^--mantine-color-(?:pink|violet|indigo|cyan|teal)-/;

function themeStyles(): Plugin {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  const used = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !UNUSED_COLORS.test(name)));
  const styles = convertCssVariables(
    {
      variables: used(variables),
      light: { ...used(light), '--mantine-color-scheme': 'light' },
      dark: { ...used(dark), '--mantine-color-scheme': 'dark' },
    },
    ':root',
  );
  return {
    name: 'theme-styles',
    resolveId: (id) => (id === THEME_STYLES ? THEME_FILE : undefined),
    load: (id) => (id === THEME_FILE ? styles : undefined),
  };
}

const VARIABLES = 'MantineCssVariables.mjs';

/** The style sheet contains the variables, so that no browser needs the code that computes them. */
const noVariablesAtRunTime = (): Plugin => ({
  name: 'no-variables-at-run-time',
  resolveId: { order: 'pre', handler: (id) => (id.endsWith(VARIABLES) ? `\0${VARIABLES}` : undefined) },
  load: (id) => (id === `\0${VARIABLES}` ? 'export const MantineCssVariables = () => null' : undefined),
});

/** Every visitor needs React, but the entry requests it only when it runs. */
const preloadReact = (): Plugin => ({
  name: 'preload-react',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {} }) {
      const react = Object.values(bundle).find(({ fileName }) => fileName.startsWith('assets/react-'));
      if (react?.type !== 'chunk') throw new Error('No chunk of React');
      return [react.fileName, ...react.imports].map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}`, nonce: NONCE_PLACEHOLDER },
      }));
    },
  },
});

/**
 * Each small file costs a request, so the parts of the first page are in few files, and those of the other pages in another.
 * Neither a visitor's first script nor the pages before sign-in need the latter.
 */
const CHUNKS = [
  {
    name: 'client',
    priority: 3,
    test: /rolldown.runtime|src\/(?:start\/after-first-page|browser|api\/(?:client|api-error))|virtual:endpoints|preload-helper|words\/(?:failure|languages)|(?:home|inbox)-reads|load-first-page/,
  },
  {
    name: 'react',
    priority: 3,
    test: /modules\/(?:react|react-dom|scheduler)\/|icons-react\/dist\/esm\/[cd]|src\/(?:start\/draw|words\/(?:words|translated|en\/sign-in)|parts\/(?:loading\/loading|time\/moment))|texts\/role-names/,
  },
  {
    name: 'first',
    priority: 2,
    test: /@tanstack\/(?:react-)?query|icons-react\/dist\/esm\/icons\/Icon(?:BuildingBank|Lock|Check|CircleDashed)\.|@mantine\/hooks\/esm\/(?:use-(?:hotkeys|disclosure|debounced-value|resize-observer)|utils)|src\/(?:(?:look\/styles|shell\/shell)\.css|start\/load-|words\/en\/(?:english|first|charts)|api\/(?:queries|session)|shell\/leave|parts\/(?:acts\/(?:act-button|toast-list)|charts\/(?:chart|csv|scale)|elements|links|loading\/shown|money\/(?:amounts|money|volumes)|page\/page-title|time\/(?:duration|since))|pages\/home\/spark)|texts\/state-names/,
  },
  {
    name: 'inbox',
    priority: 2,
    test: /src\/(?:words\/operator|pages\/home)\/inbox\.ts|texts\/(?:act|difference)-names/,
  },
  {
    name: 'pages',
    priority: 1,
    test: /get-nonce|units-converters\/px|@tanstack\/|@mantine\/(?:core\/esm\/core|hooks)\//,
  },
  { name: 'shared', minShareCount: 20, test: /node_modules\/(?:@mantine|@tanstack)\/|src\/parts\// },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), endpointTable(), themeStyles(), noVariablesAtRunTime(), preloadReact()],
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
