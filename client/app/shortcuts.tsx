import { type RefObject, useState } from 'react';
import classes from './shell.module.css';
import { ShortcutDialog } from './shortcut-dialog.tsx';
import { useShortcuts } from './use-shortcuts.ts';

/** The shortcuts at work, and the button that lists them. A page is opened by its link, which asks first where work would be lost. */
export function Shortcuts({ navigation }: { navigation: RefObject<HTMLElement | null> }) {
  const [listed, setListed] = useState(false);
  const [on, setOn] = useState(readChoice);
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
          keepChoice(chosen);
        }}
      />
    </>
  );
}

const key = 'tls-toll:shortcuts';

function readChoice(): boolean {
  try {
    return localStorage.getItem(key) !== 'off';
  } catch {
    return true;
  }
}

function keepChoice(on: boolean): void {
  try {
    localStorage.setItem(key, on ? 'on' : 'off');
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
