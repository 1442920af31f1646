import type { CarriedBy, Link } from '../../../shared/kinds/comparison/link.ts';
import type { Questions } from '../../base/process/questions.ts';
import { type AskedProcess, startAskedProcess } from '../../base/process/start-asked-process.ts';
import type { RelayTarget } from './relay.ts';

/** What carries the bytes of links, in a process of its own, which ends with ours. */
export type Carrier = LinkProcess & {
  /** Puts a link of its own in front of each target. Rejects with an AnswerProblem, the end of a sentence, where it cannot. */
  open(link: Link, targets: readonly RelayTarget[]): Promise<Carried>;
  close(): Promise<void>;
};

export type Carried = {
  /** Where each target is reached now, in the same order. */
  ends: RelayTarget[];
  /** What carries it, with what it has counted so far. */
  readBy(): Promise<CarriedBy>;
};

export type LinkProcess = {
  pid: number;
  stop(): Promise<void>;
  /** Resolves with a sentence, once the process has ended. */
  ended: Promise<string>;
};

/** Over the time that an answer takes. */
const graceMs = 15_000;

/** Calls reject with link_failed when the process dies or hangs. @param name the subject of its problems */
export async function startLinkProcess<Asked extends Questions>(options: {
  script: URL;
  questions: Asked;
  name: string;
  signal: AbortSignal | undefined;
  refused?: (reason: string) => Error;
}): Promise<AskedProcess<Asked>> {
  const started = await startAskedProcess({ ...options, code: 'link_failed', graceMs });
  return { ...started, ended: started.ended.then((how) => `${options.name} ended (${how}).`) };
}
