import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import type { KindName } from '../../../shared/measurement/kind-names.ts';
import type { LifeEvent, ProgressEvent } from '../../../shared/measurement/measurement.ts';
import type { MeasurementEvent } from '../../../shared/results/kinds.ts';
import type { ShownMeasurement } from '../../../shared/results/shown-measurement.ts';
import type { Digest } from '../../../shared/words/digest.ts';
import type { LateView } from './late-view.ts';

/** Opens folded sections for links that point into them, scrolls there, and opens those of a printed report for printing. */
export function useUnfolding(): void {
  const { hash } = useLocation();
  // The document comes after the page, so the browser has looked for the anchor too early.
  useEffect(() => showTarget(hash), [hash]);
  useEffect(() => {
    const again = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
      if (link !== null) showTarget(link.hash);
    };
    document.addEventListener('click', again);
    return () => document.removeEventListener('click', again);
  }, []);
  useEffect(unfoldInPrint, []);
}

function showTarget(hash: string): void {
  const target = hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  if (target === null) return;
  const own = target.querySelector<HTMLDetailsElement>(':scope > details[data-fold]');
  if (own !== null) own.open = true;
  for (let fold = target.closest('details'); fold !== null; fold = outerOf(fold)) fold.open = true;
  target.scrollIntoView();
}

function outerOf(fold: HTMLDetailsElement): HTMLDetailsElement | null {
  return fold.parentElement?.closest('details') ?? null;
}

/** Before the pages are laid out; the medium alone changes where print is only looked at. */
function unfoldInPrint(): () => void {
  const print = window.matchMedia('print');
  let opened: HTMLDetailsElement[] = [];
  const unfold = () => {
    const folded = document.querySelectorAll<HTMLDetailsElement>('details[data-printed="true"]:not([open])');
    opened = [...opened, ...folded];
    for (const fold of folded) fold.open = true;
  };
  const fold = () => {
    for (const each of opened) each.open = false;
    opened = [];
  };
  const follow = () => (print.matches ? unfold() : fold());
  print.addEventListener('change', follow);
  window.addEventListener('beforeprint', unfold);
  window.addEventListener('afterprint', fold);
  return () => {
    print.removeEventListener('change', follow);
    window.removeEventListener('beforeprint', unfold);
    window.removeEventListener('afterprint', fold);
  };
}

/** A kind's part of a measurement's page. Each kind's feature has one; `app/kinds.ts` lists them all. */
type KindView<Document, Event, Figures> = {
  /** First part of its permalink. */
  page: 'r' | 'l';
  /** Whether one that ended early can go on where it was. */
  resumable?: true;
  /** Completes “Measuring …”. */
  subject(document: Document): string;
  /** How it is measured, in a sentence or two. */
  method(document: Document): string;
  /** In the order in which they come. */
  phases(document: Document): readonly PhaseWords[];
  /** Figures before the first event. */
  figures: Figures;
  /** Takes an event of this kind alone. */
  follow(figures: Figures, event: Event): Figures;
  /** View of the figures so far. */
  Live(props: { document: Document; figures: Figures; counts: ProgressEvent['counts'] }): ReactNode;
  /** All of the page below the header but how to share it. */
  Finished(props: { document: Document; takeFocus: boolean }): ReactNode;
  /** Content of a message about one; absent for a kind that has no verdict. */
  digest?(document: Document): Digest | null;
  /** Meaning of a row of its CSV. */
  csvRow: string;
  /** Meaning of a row of its JSON Lines and Parquet, where that differs. */
  rawRow?: string;
  /** Other downloads, by the suffix of the address. */
  forms?(document: Document): readonly { suffix: string; name: string; content: string }[];
};

export type PhaseWords = { name: string; title: string; text: string };

// biome-ignore lint/suspicious/noExplicitAny: what a kind makes of its events only it knows; the page hands it back
type AnyFigures = any;

export type AnyView = KindView<ShownMeasurement, OwnEvent, AnyFigures>;

export type KindViews = {
  readonly [Kind in KindName]: LateView<
    KindView<Extract<ShownMeasurement, { kind: Kind }>, OwnEvent, AnyFigures>
  >;
};

/** Events of a kind, without those that every measurement has. */
export type OwnEvent = Exclude<MeasurementEvent, LifeEvent>;
