import type { ReactNode } from 'react';
import type { KindName } from '../../../shared/measurement/kind-names.ts';
import type { MeasurementEvent } from '../../../shared/measurement/kinds.ts';
import type { LifeEvent, ProgressEvent } from '../../../shared/measurement/measurement.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import type { Digest } from '../../../shared/words/digest/digest.ts';
import type { LateView } from './late-view.ts';

/** What the page of a measurement has to know of its kind. Each kind's feature has one; `app/kinds.ts` lists them all. */
type KindView<Document, Event, Figures> = {
  /** What users call one, such as `run`. */
  noun: string;
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
  /** Of nothing heard yet. */
  figures: Figures;
  /** Takes an event of this kind alone. */
  follow(figures: Figures, event: Event): Figures;
  /** What there is to see so far. */
  Live(props: { document: Document; figures: Figures; counts: ProgressEvent['counts'] }): ReactNode;
  /** All of the page below the header but how to share it. */
  Finished(props: { document: Document; takeFocus: boolean }): ReactNode;
  /** What a message about one says; left out by a kind that has no verdict. */
  digest?(document: Document): Digest | null;
  /** What a row of its CSV is. */
  csvRow: string;
  /** What a row of its JSON Lines and Parquet is, where that is something else. */
  rawRow?: string;
  /** What can be downloaded besides, by the suffix of its address. */
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

/** Of a kind, beside those that every measurement tells. */
export type OwnEvent = Exclude<MeasurementEvent, LifeEvent>;
