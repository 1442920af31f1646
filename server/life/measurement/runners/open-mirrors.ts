import { ProblemError } from '../../../../shared/base/problem.ts';
import {
  type LifeEvent,
  type ProgressEvent,
  progressEventSchema,
} from '../../../../shared/measurement/measurement.ts';
import { jsonText } from '../../database/json-text.ts';
import { greetingOf, type Mirror, type MirrorParts, readMirror } from './read-mirror.ts';

/**
 * The logs of measurements in other processes, while somebody here watches: read from the database whenever it signals that they grew.
 * Progress is in no table, only in these signals.
 */
type Mirrors = {
  /** Resolves when the log can be followed; at once for what is over. */
  open(id: string): Promise<void>;
  /** Its place in the queue, which no log has, for who follows it from now on; null where it does not wait. */
  greetingOf(id: string): LifeEvent | null;
  /** Latest progress of a measurement; null before the first. */
  progressOf(id: string): ProgressEvent | null;
  close(): void;
};

/** How often they are read without being told: a signal can be lost with its connection. */
const pollMs = 2_000;
/** Far more than there are runners. */
const mostKnown = 1_000;

export function openMirrors(parts: MirrorParts): Mirrors {
  const { database, log, isHere } = parts;
  const mirrors = new Map<string, Mirror>();
  const latest = openLatest();

  async function read(id: string, mirror: Mirror): Promise<void> {
    if (mirrors.get(id) !== mirror) return;
    const found = await readMirror(parts, id, mirror);
    if (found === 'here') mirrors.delete(id);
    if (found === 'over') forget(id);
  }

  function forget(id: string): void {
    mirrors.delete(id);
    log.close(id);
  }

  /** One after the other, so that no event comes twice. */
  function readNext(id: string, mirror: Mirror): Promise<void> {
    const next = mirror.reading.then(() => read(id, mirror));
    mirror.reading = next.catch((error: unknown) => {
      if (error instanceof ProblemError) {
        log.mention(id, { type: 'stalled', detail: error.problem.detail });
      }
    });
    return next;
  }

  function poll(): void {
    for (const [id, mirror] of mirrors) {
      if (!mirror.opened || mirror.expected > 0 || log.isWatched(id) || isHere(id))
        void readNext(id, mirror).catch(() => {});
      else forget(id);
    }
  }

  const timer = setInterval(poll, pollMs);
  timer.unref();
  const unlisten = database.shared?.signals.listen((signal) => {
    const { about, id } = signal;
    const mirror = mirrors.get(id);
    if (about === 'progress') {
      const progress = latest.take(id, signal.text);
      if (progress !== null && !isHere(id)) log.mention(id, progress);
    }
    if (about === 'events' && mirror !== undefined) void readNext(id, mirror).catch(() => {});
    if (about === 'queue' || about === 'missed') poll();
  });
  return {
    async open(id) {
      if (isHere(id) || mirrors.get(id)?.opened === true) return;
      const mirror = mirrors.get(id) ?? newMirror();
      mirrors.set(id, mirror);
      mirror.expected += 1;
      try {
        mirror.opening ??= readNext(id, mirror);
        await mirror.opening;
      } catch (error) {
        mirrors.delete(id);
        throw error;
      } finally {
        mirror.expected -= 1;
      }
    },
    greetingOf: (id) => greetingOf(mirrors.get(id) ?? { place: null }),
    progressOf: latest.of,
    close() {
      clearInterval(timer);
      unlisten?.();
    },
  };
}

/** Latest progress of each measurement. */
function openLatest() {
  const latest = new Map<string, ProgressEvent>();
  return {
    of: (id: string): ProgressEvent | null => latest.get(id) ?? null,
    take(id: string, text: string): ProgressEvent | null {
      // A runner of a later version may use another format.
      const progress = jsonText(progressEventSchema).safeParse(text).data;
      if (progress === undefined) return null;
      latest.delete(id);
      latest.set(id, progress);
      const [oldest = id] = latest.keys();
      if (latest.size > mostKnown) latest.delete(oldest);
      return progress;
    },
  };
}

function newMirror(): Mirror {
  const reading = Promise.resolve();
  return { last: 0, place: null, reading, opened: false, opening: null, expected: 0 };
}
