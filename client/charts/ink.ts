import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

/** The colours of what is not data. A canvas cannot read the page's tokens, so they stand here again. */
export type Ink = { text: string; soft: string; line: string; band: string; surface: string };

const inks: Record<'light' | 'dark', Ink> = {
  light: { text: '#1b1f24', soft: '#565c64', line: '#e3e0da', band: '#dcd8d0', surface: '#ffffff' },
  dark: { text: '#eceae6', soft: '#a9aeb6', line: '#2e333a', band: '#3a4048', surface: '#1a1d22' },
};

/** Paper is light, whatever the screen is. */
export function useInk(): Ink {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const printing = useMediaQuery('print', false, { getInitialValueInEffect: false });
  return inks[printing ? 'light' : scheme];
}
