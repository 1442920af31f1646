import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { cut } from '../../../shared/base/cut.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { readResumedShare } from '../../../shared/kinds/comparison/resumed-share.ts';
import { MoreFields } from '../../components/more-fields.tsx';
import type { SetField } from './form-shape.ts';

/** All that is pasted is read once. A field that holds a whole log would be laid out again at every key. */
const mostShown = 100_000;

/** How many sessions to resume, from what one's own server wrote. What is pasted stays here. */
export function ResumedField({ set }: { set: SetField }) {
  const [{ text, found }, setRead] = useState({ text: '', found: readResumedShare('') });
  const isWrong = found === null && text.trim() !== '';
  return (
    <MoreFields title="Resumption as in your log">
      <Textarea
        label="Log or counters"
        description="Lines of nginx with $ssl_session_reused, or Envoy’s ssl.handshake and ssl.session_reused"
        value={text}
        error={isWrong ? 'This says nothing of resumed sessions.' : undefined}
        onChange={({ currentTarget: { value } }) => {
          const share = readResumedShare(value);
          setRead({ text: cut(value, mostShown), found: share });
          if (share !== null) set({ 'tls.resumption': 'mix', 'tls.resumedShare': String(share.share) });
        }}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
      />
      {found === null ? null : (
        <p role="status">
          {found.share} % of {printNumber(found.of, 0)} {found.unit} resumed a session. Both sides now do so.
        </p>
      )}
    </MoreFields>
  );
}
