import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { theme } from './theme.ts';

/**
 * What `MantineProvider` does, without making variables and classes while the page starts: ours stand in mantine.css.
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
