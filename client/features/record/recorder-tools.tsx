import { Button, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type {
  Ending,
  RecorderInput,
  RecorderMessage,
  RecorderTab,
  RefusedHost,
  Viewport,
} from '../../../shared/scenario/recorder.ts';
import { ActionButton, ButtonRow } from '../../components/action-button.tsx';
import { Form } from '../../components/form-fields.tsx';
import classes from './record.module.css';

type Props = {
  view: RecorderView;
  picking: boolean;
  setPicking: (picking: boolean) => void;
  send: (input: RecorderInput) => void;
};

type Tool = 'check' | 'pause';
const titles: Record<Tool, string> = { check: 'Add check', pause: 'Add pause' };

/** Tools that add to a recording without acting on the page. */
export function RecorderTools({ view, picking, setPicking, send }: Props) {
  const [chosen, setChosen] = useState<Tool | null>(null);
  function choose(next: Tool | null) {
    setChosen(next);
    setPicking(next === 'check');
  }
  // A text was picked in the picture.
  const tool = chosen === 'check' && !picking ? null : chosen;
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
        {(['check', 'pause'] as const).map((name) => (
          <Button
            key={name}
            variant="default"
            size="sm"
            aria-expanded={tool === name}
            onClick={() => choose(tool === name ? null : name)}
          >
            {titles[name]}
          </Button>
        ))}
      </ButtonRow>
      {view.paused ? (
        <p className="soft" role="status">
          Recording is paused.
        </p>
      ) : null}
      {tool === 'check' ? (
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
    <Form
      className={classes.recorderToolsForm}
      onSubmit={() => {
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
    </Form>
  );
}

function PauseForm({ add }: { add: (durationMs: number) => void }) {
  const [seconds, setSeconds] = useState<number | string>(2);
  const durationMs = Math.round(Number(seconds) * 1000);
  return (
    <Form
      className={classes.recorderToolsForm}
      onSubmit={() => {
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
    </Form>
  );
}

/** State of the recording on the page. */
export type RecorderView = {
  /** `taken`: another page shows the recording now. */
  link: 'opening' | 'open' | 'lost' | 'taken';
  viewport: Viewport;
  /** When it ends by itself, in the time of this page; null before the server has said so. */
  endsAt: number | null;
  tabs: RecorderTab[];
  shown: number;
  steps: BrowserAction[];
  requests: number;
  dialog: Extract<RecorderMessage, { type: 'dialog' }>['dialog'];
  paused: boolean;
  refused: RefusedHost[];
  problem: string | null;
  ended: Ending | null;
};

export const nothingYet: RecorderView = {
  ...{ link: 'opening', viewport: { width: 1280, height: 720 }, endsAt: null },
  ...{ tabs: [], shown: 0, steps: [], requests: 0, dialog: null },
  ...{ paused: false, refused: [], problem: null, ended: null },
};

type RecorderEvent =
  | { type: 'message'; message: RecorderMessage; now: number }
  | { type: 'link'; link: RecorderView['link'] };

export function follow(view: RecorderView, event: RecorderEvent): RecorderView {
  if (event.type === 'link') return { ...view, link: event.link };
  const { message } = event;
  switch (message.type) {
    case 'hello':
      return { ...view, viewport: message.viewport, endsAt: event.now + message.remainingMs };
    case 'tabs':
      return { ...view, tabs: message.tabs, shown: message.shown };
    case 'steps':
      return { ...view, steps: [...view.steps.slice(0, message.from), ...message.steps], problem: null };
    case 'requests':
      return { ...view, requests: message.count };
    case 'dialog':
      return { ...view, dialog: message.dialog };
    case 'paused':
      return { ...view, paused: message.paused };
    case 'refused':
      return { ...view, refused: message.hosts };
    case 'problem':
      return { ...view, problem: message.sentence };
    case 'ended':
      return { ...view, ended: message.ending, dialog: null };
  }
}
