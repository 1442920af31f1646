import type { Failure, Reading } from '../../base/wire/reading.ts';

/**
 * How one virtual user speaks: makes the bytes of a request and reads its response, one request at a time.
 * What a property says of a response holds from the reading `complete` to the next request.
 */
export type Protocol = {
  readonly status: number;
  /** The connection may be used for another request. */
  readonly keepAlive: boolean;
  readonly bodyBytes: number;
  /** The application's own time from Server-Timing, in µs; -1 when it reports none. */
  readonly executionUs: number;
  /** Whether any byte of the response has been read. */
  readonly started: boolean;
  /** The server may send something when nothing was asked, such as settings or a ping. */
  readonly mayTalkUnasked: boolean;
  /** What was wrong, after the reading `malformed`. */
  readonly failure: Failure;
  /** The state for a connection that is about to be opened; the same object where none is needed. */
  forNewConnection(): Protocol;
  /** Goes first on a new connection; null for nothing. */
  hello(): Buffer | null;
  beginTransaction(row: number): void;
  /** The bytes to send. `closing`: it is the last request on its connection. */
  compose(step: number, closing: boolean): Buffer;
  read(bytes: Buffer, length: number): Reading;
  /** What the protocol itself has to answer; null for nothing. */
  takeReplies(): Buffer | null;
  /** The server has closed its side. */
  close(): Reading;
  /** Checks the response and takes variables from it; null when all is well. */
  examine(step: number): Failure | null;
};
