import type { ImportReport } from '../../shared/import.ts';
import type {
  CreatedRecording,
  CreatedReplay,
  FinishRecording,
  RecorderInput,
  RecorderMessage,
  RecordingRequest,
  ReplayRequest,
} from '../../shared/recorder.ts';

/** Told once for each host that a browser reaches. */
export type OnReached = (origin: string) => void;

/** Everything that the edges can ask of recordings. */
export type RecordingControl = {
  /** Throws machine_busy, target_not_permitted, browser_missing, browser_failed. */
  create(request: RecordingRequest, onReached: OnReached): Promise<CreatedRecording>;
  /** Throws the same, and invalid_request for actions that begin nowhere. What happens later is told by `finish`. */
  replay(request: ReplayRequest, onReached: OnReached): Promise<CreatedReplay>;
  /** Throws recording_not_found, as everything below. */
  ticket(sid: string): { ticket: string };
  /** Null when the ticket is not that of the recording, or was used before. Whoever watched until then is sent away. */
  watch(sid: string, ticket: string, watcher: Watcher): Watching | null;
  finish(sid: string, request: FinishRecording): Promise<ImportReport>;
};

/** A page that shows the recorder. */
export type Watcher = {
  tell(message: RecorderMessage): void;
  show(jpeg: Uint8Array): void;
  /** Another page has taken its place. */
  dismiss(): void;
};

export type Watching = { input(input: RecorderInput): void; leave(): void };
