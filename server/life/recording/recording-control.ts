import type { ImportReport } from '../../../shared/scenario/import.ts';
import type {
  CreatedRecording,
  CreatedReplay,
  FinishRecording,
  OpenRecording,
  RecorderInput,
  RecorderMessage,
  RecordingRequest,
  ReplayRequest,
} from '../../../shared/scenario/recorder.ts';
import type { Actor } from '../../../shared/team/team.ts';

/** Told once for each host that a browser reaches. */
export type OnReached = (origin: string) => void;

/** Everything that the edges can ask of recordings. Each belongs to whoever started it: its ID alone opens nothing. */
export type RecordingControl = {
  /** Throws machine_busy, target_not_permitted, browser_missing, browser_failed. */
  create(request: RecordingRequest, onReached: OnReached, by: Holder): Promise<CreatedRecording>;
  /** Throws the same, and invalid_request for actions that begin nowhere. What happens later is told by `finish`. */
  replay(request: ReplayRequest, onReached: OnReached, by: Holder): Promise<CreatedReplay>;
  /** Throws recording_not_found and recording_not_yours, as everything below. */
  ticket(sid: string, by: Recorder): { ticket: string; tookOver: boolean };
  /** Null when the ticket is not that of the recording, or was used before. Whoever watched until then is sent away. */
  watch(sid: string, ticket: string, watcher: Watcher, by: Holder): Watching | null;
  /** Null if nothing is being recorded, and for people who may not end it. */
  open(by: Recorder): OpenRecording['open'];
  /** Ends and discards it, which frees the machine. Throws recording_not_found, recording_not_yours. */
  end(by: Recorder): Promise<void>;
  finish(sid: string, request: FinishRecording, by: Holder): Promise<ImportReport>;
};

/** Who asks, and what they may do on this server. */
type Recorder = Pick<Actor, 'id' | 'key' | 'role'>;

/** A page that shows the recorder. */
export type Watcher = {
  tell(message: RecorderMessage): void;
  show(jpeg: Uint8Array): void;
  /** Another page has taken its place. */
  dismiss(): void;
};

export type Watching = { input(input: RecorderInput): void; leave(): void };

/** Whose a recording is: its browser may be signed in somewhere, so it belongs to one person. */
export type Holder = Pick<Actor, 'id' | 'key'>;

/**
 * Whether the asker started it. An API key may control what it started, and so may its user. A person's keys cannot control what the
 * person started in a browser, because they are stored on other machines. Everybody who signs in has an ID. Without sign-in, all are one person.
 */
export function mayHold({ id, key }: Holder, asker: Holder): boolean {
  return asker.id === id && (asker.key === null || asker.key === key);
}

/** The first admin who opens a recording takes it over if the server's own command line started it. */
export function mayTakeOver({ id }: Holder, asker: Pick<Actor, 'id' | 'key' | 'role'>): boolean {
  return id === null && asker.id !== null && asker.key === null && asker.role === 'admin';
}

/** An admin may end what another person recorded, without seeing it. */
export function mayEnd(holder: Holder, asker: Pick<Actor, 'id' | 'key' | 'role'>): boolean {
  return mayHold(holder, asker) || asker.role === 'admin';
}
