import { useEffect, useEffectEvent } from 'react';
import { readShortcut, type Shortcut } from './read-shortcut.ts';

/** Keys that are not typed into anything, nor held with another one, and not while a question waits for its answer. */
export function useShortcuts(on: boolean, take: (shortcut: Shortcut) => void): void {
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
