import { Button } from '@mantine/core';
import { type ReactNode, useId, useRef } from 'react';
import classes from './page.module.css';

/** What is rarely wanted, behind a button. The browser closes it on Escape, on a click elsewhere, and for a dialog. */
export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <Button ref={button} variant="default" size="sm" popoverTarget={id} aria-label={label}>
        ···
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={classes.panel}
        onToggle={({ newState }) => {
          if (newState === 'open' && button.current !== null && panel.current !== null)
            place(panel.current, button.current.getBoundingClientRect());
        }}
      >
        {children}
      </div>
    </>
  );
}

const edge = 8;

/** Below the button, within the page, which it scrolls with. */
function place(panel: HTMLElement, button: DOMRect): void {
  const { width } = panel.getBoundingClientRect();
  const most = document.documentElement.clientWidth - width - edge;
  panel.style.left = `${Math.max(edge, Math.min(button.right - width, most))}px`;
  panel.style.top = `${button.bottom + window.scrollY + 6}px`;
}

/** Closes the menu, whose own button has the focus then, and after a dialog again. */
export function MenuButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onClick();
      }}
    >
      {children}
    </Button>
  );
}

export function MenuGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-labelledby={id} className={classes.group}>
      <p id={id}>{title}</p>
      {children}
    </div>
  );
}
