import type { Ending, RecorderInput, RecorderMessage } from '../../../../shared/scenario/recorder.ts';
import type { Recorded } from '../../../intake/traffic/recording-report.ts';
import type { SandboxOptions } from '../egress/open-sandbox.ts';

export type RecordingOptions = Omit<SandboxOptions, 'onRefused'> & {
  /** Ends it as `closing`; before anything is opened it rejects. */
  signal: AbortSignal;
  /** Nothing that is told holds what was typed into a password field. */
  tell(message: RecorderMessage): void;
  show(jpeg: Uint8Array): void;
  /** Shorter ones for tests. */
  times?: { durationMs: number; askEveryMs: number; hungAfterMs: number };
};

export type Recording = {
  input(input: RecorderInput): void;
  /** Tells and shows everything that there is, for who has just come. */
  greet(): void;
  /** Ends it for this reason, unless it is ending already. */
  end(ending: Ending): void;
  /** Resolves when the browser is closed. */
  ended: Promise<Recorded>;
};
