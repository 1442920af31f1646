import { Button, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RecorderInput } from '../../../shared/scenario/recorder.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import classes from './recorder-tools.module.css';
import type { RecorderView } from './recorder-view.ts';

type Props = {
  view: RecorderView;
  picking: boolean;
  setPicking: (picking: boolean) => void;
  send: (input: RecorderInput) => void;
};

type Tool = 'check' | 'pause' | null;

/** What goes into a recording besides what is done in the page. */
export function RecorderTools({ view, picking, setPicking, send }: Props) {
  const [tool, setTool] = useState<Tool>(null);
  function choose(next: Tool) {
    setTool(next);
    setPicking(next === 'check');
  }
  // A text was picked in the picture.
  const checking = tool === 'check' && picking;
  return (
    <div className={classes.tools}>
      <ButtonRow>
        <Button
          variant="default"
          size="sm"
          aria-pressed={view.paused}
          onClick={() => send({ type: 'pause', paused: !view.paused })}
        >
          {view.paused ? 'Resume recording' : 'Pause recording'}
        </Button>
        <Button
          variant="default"
          size="sm"
          aria-expanded={checking}
          onClick={() => choose(checking ? null : 'check')}
        >
          Add check
        </Button>
        <Button
          variant="default"
          size="sm"
          aria-expanded={tool === 'pause'}
          onClick={() => choose(tool === 'pause' ? null : 'pause')}
        >
          Add pause
        </Button>
      </ButtonRow>
      {view.paused ? (
        <p className={classes.note} role="status">
          Recording is paused.
        </p>
      ) : null}
      {checking ? (
        <CheckForm
          add={(text) => {
            send({ type: 'check_text', text });
            choose(null);
          }}
        />
      ) : null}
      {tool === 'pause' ? (
        <PauseForm
          add={(durationMs) => {
            send({ type: 'add_pause', durationMs });
            choose(null);
          }}
        />
      ) : null}
    </div>
  );
}

function CheckForm({ add }: { add: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') add(text.trim());
      }}
    >
      <TextInput
        label="Click text in the picture, or type it"
        description="Every run checks for this text."
        value={text}
        maxLength={200}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ActionButton type="submit" variant="default" size="sm" blocked={text.trim() === ''}>
        Check this text
      </ActionButton>
    </form>
  );
}

function PauseForm({ add }: { add: (durationMs: number) => void }) {
  const [seconds, setSeconds] = useState<number | string>(2);
  const durationMs = Math.round(Number(seconds) * 1000);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (durationMs >= 100 && durationMs <= 60_000) add(durationMs);
      }}
    >
      <NumberInput
        label="Seconds before the next step"
        value={seconds}
        min={0.1}
        max={60}
        step={1}
        onChange={setSeconds}
      />
      <Button type="submit" variant="default" size="sm">
        Add pause
      </Button>
    </form>
  );
}
