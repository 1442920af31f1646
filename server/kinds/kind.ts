import type { z } from 'zod';
import type { Environment } from '../../shared/base/environment.ts';
import type { Problem } from '../../shared/base/problem.ts';
import type { FigureChanges, Overlaid, RunChanges } from '../../shared/kinds/comparison/result-changes.ts';
import type { Figures } from '../../shared/measurement/history-view.ts';
import type { Headline, MeasurementState } from '../../shared/measurement/measurement.ts';
import type { Report } from '../../shared/report/report.ts';
import type { SecretValues } from '../../shared/scenario/scenario.ts';
import type { Digest } from '../../shared/words/digest.ts';
import type { Table } from '../base/text/terminal.ts';
import type { Mask } from '../intake/traffic/redaction.ts';
import type { AnyEvent } from './told-event.ts';

/** Code of one kind of measurement, through which `measurement/` gives every kind the same life. */

/**
 * @template Request the request as it is stored
 * @template Facts noted beside it, replaced as a whole: a plan, what was found out, sums so far
 * @template Block a finished part, stored when it ends
 * @template Document shown at the permalink
 * @template House place in which it runs: directories, programs, this machine
 */
export type Kind<Request, Facts, Block, Document extends AnyDocument, House> = {
  name: string;
  /** One of it in a sentence, such as `a run`. */
  noun: string;
  /** Caption of a single result: `Handshakes in the TLS lab`. */
  caption: string;
  /** First part of its permalinks. */
  page: 'r' | 'l';
  requestSchema: z.ZodType<Request>;
  factsSchema: z.ZodType<Facts>;
  blockSchema: z.ZodType<Block>;
  documentSchema: z.ZodType<Document>;
  documentVersion: number;
  /** From each earlier version of the document to the next one. Each version has its golden file in `database/golden`. */
  upgraders: Record<number, Upgrade>;
  /** A line for lists. */
  title(request: Request, facts: Facts): string;
  /** Names of what is loaded, by which the list is filtered; empty for what happens in one process. */
  targets(request: Request, facts: Facts): string[];
  /** Whether a request may name a finished measurement that it `continues`, and is asked as that was. */
  continuable?: true;
  /** Judges what is asked, before it is queued. Throws problems. */
  prepare(request: Request, secrets: SecretValues, house: House): Promise<Prepared<Facts>>;
  /** Place of a block, if blocks of one place can be read without the others. */
  placeOf?(block: Block): number;
  /** Hides secrets in a block; left out, in all of its texts. */
  maskBlock?(block: Block, mask: Mask): Block;
  /** Whether one that ended early can go on where it was: `conduct` leaves out what is in the task's blocks. */
  resumable?: true;
  /** Names of the secrets without which it cannot be conducted. */
  secretsOf(request: Request, facts: Facts): string[];
  /**
   * Measures. Nothing that it started is left when it settles. Rejects with the problem that ended it, or with the
   * reason of the signal. What measures is loaded with the first measurement, not at a start.
   */
  conduct(task: Task<Request, Facts, Block>, watch: Watch<Facts, Block>, house: House): Promise<void>;
  /** From what is known at any time, also before it has begun. Its state and problem may be others than the frame's. */
  documentOf(frame: Frame<Request>, kept: Kept<Facts, Block>): Document;
  /** The part of a document that its page shows; omitted by a kind whose page shows all of it. */
  shown?(document: Document): object;
  /** Columns in lists, without the title. */
  summaryOf(document: Document): Record<string, unknown>;
  /** Its rows in the history; left out by a kind that has no view. */
  figuresOf?(document: Document): Figures;
  /** The results as a table: its CSV, JSON Lines and Parquet. */
  rows(document: Document): Table;
  /** Set by a kind whose document sums up: content of JSON Lines and Parquet instead. */
  blockRows?(document: Document, blocks: Block[]): Table;
  /** Content of its terminal output, its Markdown and its file. */
  report(document: Document): Report;
  /** Headline of a finished one; null if there is nothing to say. */
  headline(document: Document): Headline | null;
  /** The top of its page, for pictures and embeds; null before there is one. Omitted by a kind that has only its headline. */
  digest?(document: Document): Digest | null;
  /** Configuration of its servers; null if none was started. Omitted by a kind that shows no such file. */
  configuration?(document: Document): string | null;
  /** A further form of it, by the suffix of its address; null for one that it does not have. Omitted by a kind that has none. */
  form?(document: Document, suffix: string): string | null;
  /** Compares two finished ones, or says on which page they are compared. Throws results_not_comparable. */
  changes(from: Titled<Document>, to: Titled<Document>): Changes;
};

/** With a report, or the address of the page that alone compares them. */
export type Changes =
  | { changes: RunChanges | FigureChanges; report(): Report }
  | { changes: Overlaid; report: null };

/** A kind of which nothing is known. */
export type AnyKind<House> = Kind<unknown, unknown, unknown, AnyDocument, House>;

/** With the title that people see. */
export type Titled<Document> = { document: Document; title: string };

export type AnyDocument = { state: MeasurementState; problem: Problem | null };

type Upgrade = (earlier: Record<string, unknown>) => Record<string, unknown>;

export type Prepared<Facts> = {
  facts: Facts;
  /** Columns in lists, without the title. */
  summary: Record<string, unknown>;
  /** Revision of the stored scenario that it uses. */
  revisionId: string | null;
};

export type Task<Request, Facts, Block = unknown> = {
  id: string;
  request: Request;
  facts: Facts;
  secrets: SecretValues;
  /** Blocks stored before, if the kind can go on; otherwise empty. */
  blocks: readonly Block[];
};

export type Watch<Facts, Block> = {
  /** Aborted when it is canceled or interrupted: what was kept stays. */
  signal: AbortSignal;
  tell(event: AnyEvent): void;
  /** It is on the disk when this resolves. Blocks are kept in the order of the calls. */
  keep(part: Part<Facts, Block>): Promise<void>;
  /**
   * Stores the complete measurement and announces its findings. The machine stays reserved until `conduct` resolves. The measurement
   * counts as finished from now on, even if later additions fail.
   */
  measured(): Promise<void>;
};

export type Part<Facts, Block> = { facts?: Facts; block?: Block };

export type Kept<Facts, Block> = { facts: Facts; blocks: Block[] };

/** State of a measurement in its life. Times in milliseconds since 1970. */
export type Frame<Request> = {
  id: string;
  state: MeasurementState;
  createdAt: number;
  startedAt: number | null;
  /** Already set while running: the end of measuring. */
  endedAt: number | null;
  problem: Problem | null;
  environment: Environment;
  request: Request;
};

/** Whether measuring is done and something is still added. */
export function isMeasured({ state, endedAt }: Pick<Frame<unknown>, 'state' | 'endedAt'>): boolean {
  return state === 'running' && endedAt !== null;
}
