import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { mayCall } from '../api/identity.ts';
import { AccountLinks } from './account-links.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import { Logo } from './logo.tsx';
import { pageShortcuts } from './read-shortcut.ts';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';

/** Header, one column of content, footer. Only what exists is linked. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useFocusOnArrival();
  const navigation = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  return (
    <div className={classes.page}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>
          <NavLink to="/" className={classes.brand ?? ''} aria-label="TLS Toll, measure">
            <Logo />
            <span className={classes.shellName}>TLS Toll</span>
          </NavLink>
          <nav ref={navigation} className={classes.nav} aria-label="Main">
            {pageShortcuts.map(({ to, label, with: others }) => (
              <NavLink
                key={to}
                to={to}
                end={to === '/'}
                {...(others.some((other) => pathname.startsWith(other)) && { 'data-within': true })}
              >
                {label}
              </NavLink>
            ))}
          </nav>
          <AccountLinks />
          <ColorSchemeSwitch />
        </div>
      </header>
      <main ref={main} id="content" tabIndex={-1} className={classes.content}>
        {children}
      </main>
      <footer className={classes.footer}>
        <div className={classes.end}>
          <ul className={classes.more} aria-label="More pages">
            {morePages.filter(mayCall).map(({ to, label }) => (
              <li key={to}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
          </ul>
          <Shortcuts navigation={navigation} />
        </div>
      </footer>
    </div>
  );
}

/** What is seldom wanted. Somebody who may not open one is not led to it. */
const morePages = [
  { to: '/examples', label: 'Examples', access: 'reader' },
  { to: '/targets', label: 'Targets', access: 'operator' },
  { to: '/runs/schedules', label: 'Schedules', access: 'reader' },
  { to: '/runners', label: 'Runners', access: 'reader' },
  { to: '/sql', label: 'SQL', access: 'reader' },
  { to: '/audit', label: 'Audit log', access: 'admin' },
  { to: '/api/docs', label: 'API', access: 'anyone' },
] as const;

/**
 * After a navigation the focus waits on `main`, however long the page takes to load; the heading of the page takes it from
 * there. A page that is opened starts at its top, as every page does.
 */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
