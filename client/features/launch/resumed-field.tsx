import { Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { cut } from '../../../shared/base/cut.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { readResumedShare } from '../../../shared/kinds/comparison/resumed-share.ts';
import { MoreFields } from '../../components/more-fields.tsx';
import type { SetField } from './form-shape.ts';

/** All that is pasted is read. A field that holds a whole log would be laid out again at every key. */
const mostShown = 100_000;

type Found = ReturnType<typeof readResumedShare>;

/** How many sessions to resume, from what one's own server wrote. What is pasted stays here. */
export function ResumedField({ set }: { set: SetField }) {
  const [text, setText] = useState('');
  /** Undefined while a text is read. */
  const [found, setFound] = useState<Found | undefined>(null);
  const read = useReader((share) => {
    setFound(share);
    if (share !== null) set({ 'tls.resumption': 'mix', 'tls.resumedShare': String(share.share) });
  });
  const isWrong = found === null && text.trim() !== '';
  return (
    <MoreFields title="Resumption as in your log">
      <Textarea
        label="Log or counters"
        description="Lines of nginx with $ssl_session_reused, or Envoy’s ssl.handshake and ssl.session_reused"
        value={text}
        error={isWrong ? 'This says nothing of resumed sessions.' : undefined}
        onChange={({ currentTarget: { value } }) => {
          setText(cut(value, mostShown));
          setFound(undefined);
          read(value);
        }}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
      />
      {found ? (
        <p role="status">
          {found.share} % of {printNumber(found.of, 0)} {found.unit} resumed a session. Both sides now do so.
        </p>
      ) : null}
    </MoreFields>
  );
}

/** Reads the latest text alone: a new one ends the worker that is at an earlier one, and so does leaving the page. */
function useReader(onFound: (share: Found) => void): (text: string) => void {
  const reading = useRef<Worker | null>(null);
  useEffect(() => () => reading.current?.terminate(), []);
  return (text) => {
    reading.current?.terminate();
    const worker = new Worker(new URL('./resumed-share-worker.ts', import.meta.url), { type: 'module' });
    reading.current = worker;
    worker.onmessage = ({ data }: MessageEvent<Found>) => {
      worker.terminate();
      onFound(data);
    };
    worker.postMessage(text);
  };
}
