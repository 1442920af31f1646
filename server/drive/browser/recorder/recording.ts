import type {
  Ending,
  RecorderInput,
  RecorderMessage,
  Viewport,
} from '../../../../shared/scenario/recorder.ts';
import type { Permit } from '../../../../shared/target/permitted-target.ts';
import type { OwnListener } from '../../../base/addresses/own-listeners.ts';
import type { Recorded } from '../../../intake/traffic/recording-report.ts';

export type RecordingOptions = {
  executablePath: string;
  url: string;
  viewport: Viewport;
  /** Names that are not looked up, and their address. */
  known: ReadonlyMap<string, string>;
  /** Hosts besides this machine. */
  permits: readonly Permit[];
  /** The dashboard's own, which no page may reach. */
  own: readonly OwnListener[];
  /** Told once for each host that the browser reaches. */
  onReached?: (origin: string) => void;
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
