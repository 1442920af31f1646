import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import { Logo } from './logo.tsx';
import classes from './shell.module.css';

/** Header, one column of content, footer. Only what exists is linked. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>
          <NavLink to="/" className={classes.brand ?? ''} aria-label="TLS Toll, launch a run">
            <Logo />
            <span className={classes.name}>TLS Toll</span>
          </NavLink>
          <nav className={classes.nav} aria-label="Main">
            <NavLink to="/" end>
              Launch
            </NavLink>
            <NavLink to="/scenarios">Scenarios</NavLink>
            <NavLink to="/runs">Runs</NavLink>
            <NavLink to="/lab">Lab</NavLink>
            <a href="/api/docs">API docs</a>
          </nav>
          <ColorSchemeSwitch />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={classes.content}>
        {children}
      </main>
      <footer className={classes.footer}>
        <p>
          TLS Toll measures what HTTPS costs compared with HTTP: paired, interleaved, with its noise floor.
        </p>
      </footer>
    </div>
  );
}
