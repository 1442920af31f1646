import {
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type MantineColorScheme,
  type MantineColorsTuple,
  MantineContext,
  MantineThemeProvider,
  useMantineColorScheme,
  useProviderColorScheme,
  type VariantColorsResolver,
} from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './shell.module.css';

/** The controls are the color of ink: other colors are for the two transports and the outcomes. */
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

const theme = createTheme({
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

/**
 * Replaces `MantineProvider`, without making variables and classes while the page starts: ours are in mantine.css.
 */
export function Look({ children }: { children: ReactNode }) {
  const scheme = useProviderColorScheme({
    manager,
    defaultColorScheme: 'auto',
    forceColorScheme: undefined,
    getRootElement,
  });
  return (
    <MantineContext value={{ ...scheme, ...names, getRootElement }}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}

const manager = localStorageColorSchemeManager();
const names = { classNamesPrefix: 'mantine', cssVariablesSelector: ':root', withStaticClasses: true };

function getRootElement(): HTMLElement {
  return document.documentElement;
}

const schemes: { value: MantineColorScheme; label: string; path: string }[] = [
  {
    value: 'light',
    label: 'Light',
    path: 'M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6 13 13M3 13l1.4-1.4M11.6 4.4 13 3M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z',
  },
  { value: 'auto', label: 'System', path: 'M2 3h12v8H2zM5.5 14h5M8 11v3' },
  { value: 'dark', label: 'Dark', path: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z' },
];

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={classes.switch}>
      <legend className="hidden">Colors</legend>
      {schemes.map(({ value, label, path }) => (
        <label key={value} className={classes.choice} title={label}>
          <input
            type="radio"
            name="color-scheme"
            aria-label={label}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path
              d={path}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
        </label>
      ))}
    </fieldset>
  );
}

/** A solid line and a dashed one: the two transports as every chart draws them. */
export function Logo() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#1b1f24" />
      <path d="M6 11.5h20" stroke="#4aa3d8" strokeWidth="4" strokeLinecap="round" />
      <path d="M6 20.5h20" stroke="#ee7d2b" strokeWidth="4" strokeLinecap="round" strokeDasharray="5 7.5" />
    </svg>
  );
}
