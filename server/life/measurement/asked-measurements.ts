import type { ResultPair } from '../../../shared/kinds/comparison/result-changes.ts';
import type {
  AnnotationChange,
  ListChoices,
  ShownAnnotation,
} from '../../../shared/measurement/annotation.ts';
import type { CreatedMeasurement } from '../../../shared/measurement/measurement.ts';
import type { Labels, RunnerList } from '../../../shared/measurement/runner.ts';
import type { Binned } from '../../../shared/results/schedule.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import type { Asker } from '../../../shared/team/team.ts';
import type { AnyDocument, Changes, Frame } from '../../kinds/kind.ts';
import type { ToldEvent } from '../../kinds/told-event.ts';
import type { Attempt, ListFilter, PageQuery } from '../database/list-measurements.ts';
import type { Origin } from './dispatch.ts';
import type { Listener } from './event-log.ts';
import type { MachineQueue } from './machine-queue.ts';
import type { Batches } from './open-batches.ts';
import type { Runner } from './open-runner.ts';
import type { Said } from './summaries.ts';

/** Everything that the edges (routes, command line) can ask of measurements, of whatever kind. */
export type Measurements = {
  /**
   * Queues one. The same idempotency key with the same request returns what it made before. Throws invalid_request, and
   * what its kind says against it.
   * @param body the request, and beside it `secrets`, which are kept in memory until it has ended, and the `annotation`
   * @param from this machine when left out
   */
  create(
    kind: string,
    body: object,
    idempotencyKey: string | null,
    from?: Origin,
  ): Promise<CreatedMeasurement>;
  /** Measurements that several runners make concurrently. */
  batches: Batches;
  list(filter: ListFilter): Promise<{ summaries: MeasurementSummary[]; nextCursor: string | null }>;
  /**
   * Measurements of one request, whoever made it, the newest first, with those in the bin. Throws invalid_request.
   * @param body the request alone
   */
  ofRequest(kind: string, body: object): Promise<AttemptAt[]>;
  /** Filters of the list. */
  choices(): Promise<ListChoices>;
  /** Its line of the list. Throws run_not_found, run_deleted, run_binned, as whatever reads one does. */
  summary(id: string): Promise<MeasurementSummary>;
  /** Texts that people wrote on it. */
  annotation(id: string): Promise<ShownAnnotation>;
  /** Returns the annotation after the change. The document does not change. */
  annotate(id: string, change: AnnotationChange): Promise<ShownAnnotation>;
  /** Returns at once; it ends soon after, and its log with `end`. Discarding leaves a tombstone. Throws run_over. */
  cancel(id: string, keep: boolean): Promise<MeasurementSummary>;
  /** Ends what waits, goes on, or is being made, and recordings, checks and probes, here and on all runners; returns how many waited or went on. */
  stop(): Promise<number>;
  /** Queues one again that ended early: it goes on where it was, as that of whoever asks. Throws not_resumable. */
  resume(id: string, by?: Asker): Promise<MeasurementSummary>;
  /** Moves it to the bin. Throws wrong_delete_token, run_unfinished. */
  bin(id: string, deleteToken: string): Promise<void>;
  /** Most recently deleted first. */
  listBin(filter: PageQuery): Promise<{ binned: Binned[]; nextCursor: string | null }>;
  /** Takes it out of the bin; one that is not in the bin stays as it is. Throws wrong_delete_token. */
  restore(id: string, deleteToken: string): Promise<MeasurementSummary>;
  /** Removes it for good, in the bin or not; a tombstone stays. Throws wrong_delete_token, run_unfinished. */
  remove(id: string, deleteToken: string): Promise<void>;
  /** The document as JSON text. Throws run_newer. */
  readDocument(id: string): Promise<DocumentText>;
  /** The part of it that its page shows, in the same form. Throws as above. */
  readShown(id: string): Promise<DocumentText>;
  /** Resolves when there is one that can be read. Throws as above. */
  demandReadable(id: string): Promise<void>;
  /** The document as its kind prints it. */
  print(id: string, format: PrintFormat): Promise<{ content: string | Uint8Array; final: boolean }>;
  /** Same as above, parsed, and with the texts of its kind. */
  document(id: string): Promise<{ kind: string; document: AnyDocument; final: boolean } & Said>;
  /**
   * Changes between two finished results of one kind. Throws run_not_found, run_deleted, run_binned, run_newer,
   * run_unfinished, results_not_comparable.
   */
  changes(pair: ResultPair): Promise<Changes>;
  /** Its facts, and how to read its blocks, now or when it ended. */
  kept(id: string): Promise<KeptOf>;
  /** Its request, to repeat it. */
  asked(id: string): Promise<Asked>;
  /** Makes ready to follow one that another process measures. */
  mirror(id: string): Promise<void>;
  /** Replays what came after an id and goes on live; null when it is over. Returns a function that stops it. */
  follow(id: string, afterId: number, listener: Listener): (() => void) | null;
  /** Events after an ID in the log of a measurement that has ended. Contains its end even if the log was lost. */
  events(id: string, afterId: number): Promise<ToldEvent[]>;
  status(): ReturnType<MachineQueue['status']>;
  /** Who measures, and what waits for somebody who could. */
  runners(): Promise<Omit<RunnerList, 'generators'>>;
  /** Throws runners_off, runner_unknown, runner_outdated where no runner has the labels. */
  demandRunner(labels: Labels): Promise<void>;
  /** Measures here for several dashboards; null if nothing does. */
  runner: Pick<Runner, 'joined' | 'replaced'> | null;
  /** Interrupts what is running and waits until that is stored. */
  close(): Promise<void>;
};

/** `resumes` where it goes on where it was. */
export type AttemptAt = Attempt & { url: string; resumes: boolean };

/** `packed` is the same in Brotli, where it is stored so. `text` throws database_damaged. */
export type DocumentText = { text: () => Promise<string>; packed: Uint8Array | null; final: boolean };

export type PrintFormat = 'csv' | 'jsonl' | 'parquet' | 'md';

type Asked = {
  kind: string;
  request: unknown;
  /** The same for the same request. */
  requestHash: string;
  /** Names of those without whose values it cannot be measured. */
  secrets: string[];
  /** The generated one. */
  title: string;
  tags: string[];
  /** That its runner had to have. */
  labels: Labels;
};

export type KeptOf = {
  kind: string;
  frame: Frame<unknown>;
  facts: unknown;
  /** Blocks of one place, in their order: there may be tens of thousands, and reading each takes time. */
  blocks(place: number): Promise<unknown[]>;
};
