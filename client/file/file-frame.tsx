import type { ReactNode } from 'react';
import { ColorSchemeSwitch } from '../app/color-scheme-switch.tsx';
import { Logo } from '../app/logo.tsx';
import { Look } from '../app/look.tsx';
import shell from '../app/shell.module.css';
import classes from './file.module.css';

/** What surrounds the content of a file, which has no way to other screens. */
export function FileFrame({ copy, children }: { copy: string; children: ReactNode }) {
  return (
    <Look>
      <div className={shell.page}>
        <header className={shell.header}>
          <div className={shell.bar}>
            <span className={shell.brand}>
              <Logo />
              <span>TLS Toll</span>
            </span>
            <span className={classes.copy}>{copy}</span>
            <ColorSchemeSwitch />
          </div>
        </header>
        <main className={shell.content}>{children}</main>
      </div>
    </Look>
  );
}
