/** The time of a recording: it stands still while the recording is paused, and a pause that was asked for is added. */
export type RecordingClock = {
  /** Milliseconds since the recording began. */
  now(): number;
  paused(): boolean;
  setPaused(paused: boolean): void;
  skip(durationMs: number): void;
};

export function openRecordingClock(): RecordingClock {
  let offset = -performance.now();
  let stoppedAt: number | null = null;
  return {
    now: () => (stoppedAt ?? performance.now()) + offset,
    paused: () => stoppedAt !== null,
    setPaused(paused) {
      if (paused) stoppedAt ??= performance.now();
      else if (stoppedAt !== null) {
        offset -= performance.now() - stoppedAt;
        stoppedAt = null;
      }
    },
    skip(durationMs) {
      offset += durationMs;
    },
  };
}
