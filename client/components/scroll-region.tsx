import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import classes from './table.module.css';

type Props = {
  label: string;
  children: ReactNode;
  /** A table may become cards on a narrow screen, which need no scrolling to the side. */
  narrow?: 'cards' | 'scroll';
};

/** What may be larger than its room. A stop of the keyboard while it overflows: nothing inside it need take the focus. */
export function ScrollRegion({ label, children, narrow = 'scroll' }: Props) {
  const region = useRef<HTMLElement>(null);
  const overflows = useOverflow(region);
  return (
    <section
      ref={region}
      className={classes.region}
      aria-label={label}
      tabIndex={overflows ? 0 : undefined}
      data-narrow={narrow}
    >
      {children}
    </section>
  );
}

function useOverflow(region: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const box = region.current;
    if (box === null) return;
    const observer = new ResizeObserver(() =>
      setOverflows(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight),
    );
    for (const element of [box, ...box.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [region]);
  return overflows;
}
