import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { termsFor } from '../../shared/words/terms.ts';
import { keepUnits } from '../format/printed-figures.ts';
import { useScopedId } from './card.tsx';
import classes from './page.module.css';

type Props = { children: ReactNode; meaning: ReactNode };

/** A word that explains itself while it is pointed at or has the focus, until Escape is pressed. */
export function Term({ children, meaning }: Props) {
  const id = useId();
  const name = useRef<HTMLButtonElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open || bubble.current === null || name.current === null) return;
    return show(bubble.current, name.current, () => setOpen(false));
  }, [open]);
  return (
    <span onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        ref={name}
        type="button"
        className={classes.name}
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      <span ref={bubble} id={id} role="tooltip" popover="manual" className={classes.meaning}>
        {meaning}
      </span>
    </span>
  );
}

const edge = 8;

/** Touching the word, so that the pointer can move on to it: below, or above where there is no room. */
function place(bubble: HTMLElement, word: DOMRect): void {
  const { width, height } = bubble.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.max(edge, Math.min(word.left, clientWidth - width - edge));
  const fits = word.bottom + height <= clientHeight;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${fits ? word.bottom : Math.max(edge, word.top - height)}px`;
}

/** Until what it returns is called. Tab scrolls the page to the word that it leads to, so the bubble follows the word. */
function show(bubble: HTMLElement, word: HTMLElement, close: () => void): () => void {
  const follow = () => place(bubble, word.getBoundingClientRect());
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close();
  };
  document.addEventListener('keydown', onKey);
  window.addEventListener('scroll', follow, { passive: true, capture: true });
  bubble.showPopover();
  follow();
  return () => {
    document.removeEventListener('keydown', onKey);
    window.removeEventListener('scroll', follow, { capture: true });
    if (bubble.isConnected) bubble.hidePopover();
  };
}

/** A sentence that underlines the first form of each term. @param tolerance of the run */
export function Explained({ tolerance, children }: { tolerance: number; children: string }) {
  const meanings = new Map(
    termsFor(tolerance).flatMap(({ said = [], meaning }) => said.map((form) => [form, meaning] as const)),
  );
  const parts = children.split(new RegExp(`(\\b(?:${[...meanings.keys()].join('|')})\\b)`));
  return parts.map((part, index) => {
    const meaning = parts.indexOf(part) < index ? undefined : meanings.get(part);
    const shown = meaning === undefined ? keepUnits(part) : <Term meaning={meaning}>{part}</Term>;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no name but their place
    return <Fragment key={index}>{shown}</Fragment>;
  });
}

type FoldProps = {
  id: string;
  title: string;
  /** Stands beside the title, folded or not. */
  lead?: ReactNode;
  open?: boolean;
  /** Part of a printed report also while it is folded. */
  printed?: boolean;
  /** For what is only made once it is unfolded. */
  onOpen?: () => void;
  children: ReactNode;
};

/** A section that is folded away until it is asked for: by its heading, or by a link to it. Folded, it is left out in print. */
export function Fold({ id, title, lead, open = false, printed = false, onOpen, children }: FoldProps) {
  const own = useScopedId(id);
  return (
    <section id={own} aria-labelledby={`${own}-title`}>
      <details
        className={classes.fold}
        data-fold
        data-printed={printed}
        open={open}
        onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
      >
        <summary className={classes.summary}>
          <h2 id={`${own}-title`}>{title}</h2>
          {lead == null ? null : <span className={classes.foldLead}>{lead}</span>}
        </summary>
        <div className={classes.body}>{children}</div>
      </details>
    </section>
  );
}
