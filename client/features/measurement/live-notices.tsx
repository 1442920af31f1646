import type { Connection } from '../../api/use-event-log.ts';
import { Notice } from '../../components/notice.tsx';

type Props = { noun: string; connection: Connection; stalled: string | null };

/** What keeps a live page, or the measurement itself, waiting. */
export function LiveNotices({ noun, connection, stalled }: Props) {
  return (
    <div role="status">
      {connection === 'reconnecting' ? (
        <Notice tone="warn" title="Reconnecting">
          <p>The {noun} continues. This page catches up as soon as the server answers.</p>
        </Notice>
      ) : null}
      {stalled === null ? null : (
        <Notice tone="warn" title={`The ${noun} cannot be saved`}>
          <p>{stalled}</p>
          <p>What was measured stays in memory, and is saved as soon as that works again.</p>
        </Notice>
      )}
    </div>
  );
}
