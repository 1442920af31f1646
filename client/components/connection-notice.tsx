import type { Connection } from '../api/use-event-log.ts';
import { Notice } from './notice.tsx';

/** Says when a page that follows a measurement hears nothing for now. */
export function ConnectionNotice({ connection, what }: { connection: Connection; what: string }) {
  return (
    <div role="status">
      {connection === 'reconnecting' ? (
        <Notice tone="warn" title="Reconnecting">
          <p>The {what} goes on by itself; this page catches up as soon as the server answers.</p>
        </Notice>
      ) : null}
    </div>
  );
}
