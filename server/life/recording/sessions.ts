import { problem } from '../../../shared/base/problem.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import { type Holder, mayHold } from './may-hold.ts';
import type { Stage } from './stage.ts';

/** A recording under way, or one that is over and still in memory. */
export type Session = {
  holder: Holder;
  startedAt: number;
  name: string;
  /** Whether it began at the storefront, whose port is another one each time. */
  atStorefront: boolean;
  recorded: Promise<Recorded>;
  /** Resolves when the machine is free again. */
  over: Promise<void>;
  isOver: boolean;
  /** A replay has none: nobody watches it, and it is over when its actions are. */
  stage: Stage | null;
};

export type Sessions = {
  sessions: Map<string, Session>;
  /** Throws recording_not_found. */
  known(sid: string): Session;
  /** Throws recording_not_found, recording_not_yours. */
  held(sid: string, by: Holder): Session;
};

export function openSessions(): Sessions {
  const sessions = new Map<string, Session>();

  function known(sid: string): Session {
    const session = sessions.get(sid);
    if (session === undefined) throw problem('recording_not_found', `There is no recording ${sid}.`);
    return session;
  }

  return {
    sessions,
    known,
    held(sid, by) {
      const session = known(sid);
      if (mayHold(session.holder, by)) return session;
      throw problem('recording_not_yours', 'Its browser belongs to whoever started it.');
    },
  };
}

/** Throws recording_not_found. */
export function stageOf({ stage }: Session, sid: string): Stage {
  if (stage === null) throw problem('recording_not_found', `${sid} is a replay, which has no picture.`);
  return stage;
}
