import {
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** The controls are the colour of ink: colour is kept for the two transports and the outcomes. */
const ink: MantineColorsTuple = [
  '#f6f5f3',
  '#eceae6',
  '#d5d3cf',
  '#b4b4b3',
  '#91949a',
  '#6d727a',
  '#4d535b',
  '#363b42',
  '#22262c',
  '#14171b',
];

export const theme = createTheme({
  colors: { ink },
  primaryColor: 'ink',
  primaryShade: { light: 8, dark: 1 },
  variantColorResolver: colorsOfVariant,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Checkbox: Checkbox.extend({
      defaultProps: { color: 'var(--ink)', iconColor: 'var(--page)' },
      styles: { input: { borderColor: 'var(--ink-soft)' } },
    }),
  },
  fontFamily:
    '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
});

/** Mantine's own colours are the page's tokens, which differ by scheme in styles.css. */
const tokens = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-placeholder': 'var(--ink-soft)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-soft)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-error': 'var(--bad)',
};

export const resolveVariables: CSSVariablesResolver = () => ({ variables: {}, light: tokens, dark: tokens });

/** A filled control is ink (or a token that it names) on the page turned round, in either scheme; the default resolver cannot know the scheme. */
function colorsOfVariant(...[input]: Parameters<VariantColorsResolver>): ReturnType<VariantColorsResolver> {
  if (input.variant !== 'filled') return defaultVariantColorsResolver(input);
  const fill = input.color?.startsWith('var(') ? input.color : 'var(--ink)';
  return {
    background: fill,
    hover: `color-mix(in srgb, ${fill} 86%, var(--page))`,
    color: 'var(--page)',
    border: '1px solid transparent',
  };
}
