import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { keepText, recallText } from '../api/browser-store.ts';
import { readShortcut, type Shortcut } from './read-shortcut.ts';
import classes from './shell.module.css';
import { ShortcutDialog } from './shortcut-dialog.tsx';

/** The shortcuts at work, and the button that lists them. A page is opened by its link, which asks first where work would be lost. */
export function Shortcuts({ navigation }: { navigation: RefObject<HTMLElement | null> }) {
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

/** What letters mean something to. */
const fields = 'input:not([type=radio], [type=checkbox]), textarea, select';
