import {
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
    // Without the component itself, which the first page has no use for.
    Checkbox: {
      defaultProps: { color: 'var(--ink)', iconColor: 'var(--page)' },
      styles: { input: { borderColor: 'var(--ink-soft)' } },
    },
  },
});

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
