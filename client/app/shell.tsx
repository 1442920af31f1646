import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { identity, mayCall } from '../api/identity.ts';
import { keepText, recallText } from '../api/kept-texts.ts';
import { callEndpoint, late } from '../api/late-call.ts';
import { ButtonRow } from '../components/action-button.tsx';
import { Facts } from '../components/card.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SwitchLine } from '../components/form-fields.tsx';
import { ColorSchemeSwitch, Logo } from './look.tsx';
import classes from './shell.module.css';

/** Its schemas need not be set up for the first view. Without it the page is whole. */
const MachineState = lazy(() => import('./machine-state.tsx').catch(() => ({ default: () => null })));

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
          {mayCall({ access: 'reader' }) ? (
            <Suspense fallback={null}>
              <MachineState />
            </Suspense>
          ) : null}
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

/** Pages that are seldom needed. A reader without access to one gets no link to it. */
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

/** Who is signed in, and the way out. Nothing on a server without sign-in. */
function AccountLinks() {
  const signOut = useMutation({
    mutationFn: async () => callEndpoint((await late.session()).signOut),
    // A full page load drops the data that was loaded for this reader.
    onSettled: () => location.assign('/'),
  });
  if (identity === null || identity.actor === null) return null;
  return (
    <div className={classes.account}>
      <NavLink to="/account" className={classes.accountLinksName ?? ''} title={identity.actor.name}>
        {identity.actor.name}
      </NavLink>
      <button type="button" className={classes.out} onClick={() => signOut.mutate()}>
        Sign out
      </button>
    </div>
  );
}

/** The shortcuts at work, and the button that lists them. A page is opened by its link, which asks first where work would be lost. */
function Shortcuts({ navigation }: { navigation: RefObject<HTMLElement | null> }) {
  const [listed, setListed] = useState(false);
  const [on, setOn] = useState(() => recallText(key) !== 'off');
  useShortcuts(on, (shortcut) => {
    if (shortcut === 'list') setListed(true);
    else navigation.current?.querySelector<HTMLAnchorElement>(`a[href="${shortcut}"]`)?.click();
  });
  return (
    <>
      <button type="button" className={classes.plain} onClick={() => setListed(true)}>
        Keyboard shortcuts
      </button>
      <ShortcutDialog
        open={listed}
        onClose={() => setListed(false)}
        on={on}
        onSwitch={(chosen) => {
          setOn(chosen);
          keepText(key, chosen ? 'on' : 'off');
        }}
      />
    </>
  );
}

const key = 'tls-toll:shortcuts';

/** Keys that are not typed into anything, nor held with another one, and not while a question waits for its answer. */
function useShortcuts(on: boolean, take: (shortcut: Shortcut) => void): void {
  const taken = useEffectEvent(take);
  useEffect(() => {
    if (!on) return;
    let before: KeyboardEvent | null = null;
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Shift') return;
      const meant = isMeant(event);
      const shortcut = meant ? readShortcut(event, before) : null;
      before = meant && shortcut === null ? event : null;
      if (shortcut === null) return;
      event.preventDefault();
      taken(shortcut);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [on]);
}

function isMeant({ target, ctrlKey, altKey, metaKey, isComposing, repeat, defaultPrevented }: KeyboardEvent) {
  if (ctrlKey || altKey || metaKey || isComposing || repeat || defaultPrevented) return false;
  if (document.querySelector('dialog[open]') !== null) return false;
  return !(target instanceof HTMLElement && (target.isContentEditable || target.matches(fields)));
}

/** Elements that take letters. */
const fields = 'input:not([type=radio], [type=checkbox]), textarea, select';

type Props = { open: boolean; onClose: () => void; on: boolean; onSwitch: (on: boolean) => void };

/** All shortcuts. They can be turned off, as keys may mean something else to who speaks to the browser. */
function ShortcutDialog({ open, onClose, on, onSwitch }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <Facts
        facts={[
          ...pageShortcuts.map(({ label, key }) => ({ name: label, value: <Keys keys={['g', key]} /> })),
          { name: 'This list', value: <Keys keys={['?']} /> },
        ]}
      />
      <ButtonRow>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </ButtonRow>
      <SwitchLine label="Use shortcuts" checked={on} onChange={onSwitch} />
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

/** The keys of the dashboard: pages by two keys, one after the other, and the list of them by `?`. */

const pageShortcuts = [
  { to: '/', label: 'Measure', key: 'm', with: ['/targets'] },
  {
    to: '/results',
    label: 'Results',
    key: 'r',
    with: ['/examples', '/runs', '/runners', '/sql', '/r/', '/l/', '/b/', '/c/'],
  },
  { to: '/scenarios', label: 'Scenarios', key: 's', with: ['/s/', '/record'] },
  { to: '/lab', label: 'Lab', key: 'l', with: [] },
  { to: '/studies', label: 'Studies', key: 't', with: [] },
  { to: '/docs', label: 'Docs', key: 'd', with: ['/api/docs'] },
] as const;

type Shortcut = 'list' | (typeof pageShortcuts)[number]['to'];

type Press = { key: string; timeStamp: number };

/** How long `g` waits for the key of a page. */
const waitMs = 1_500;

/** Shortcut that a key completes after the key before it; null for none yet. */
function readShortcut({ key, timeStamp }: Press, before: Press | null): Shortcut | null {
  if (key === '?') return 'list';
  if (before?.key !== 'g' || timeStamp - before.timeStamp > waitMs) return null;
  return pageShortcuts.find((page) => page.key === key)?.to ?? null;
}
