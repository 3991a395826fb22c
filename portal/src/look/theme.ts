/** The theme: quiet and dense, with one accent. Colour is used only for state. */
import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';

const petrol: MantineColorsTuple = [
  '#eef7f6',
  '#d9ebe9',
  '#b0d6d2',
  '#84c0ba',
  '#60aea6',
  '#49a29a',
  '#3b9c93',
  '#2b887f',
  '#1f7a71',
  '#0b5d56',
];

export const theme = createTheme({
  colors: { petrol },
  primaryColor: 'petrol',
  primaryShade: { light: 9, dark: 5 },
  // The accent is lighter in dark mode, so text on it is dark there.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isAccent = input.variant === 'filled' && (input.color === undefined || input.color === 'petrol');
    return isAccent ? { ...colors, color: 'var(--on-accent)' } : colors;
  },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'DejaVu Sans Mono', Menlo, monospace",
  headings: { fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
});
