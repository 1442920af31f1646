import { Button, TextInput } from '@mantine/core';
import { type RefObject, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { addressOf } from '../../../shared/api/call-endpoint.ts';
import { recordingEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import {
  endingSentences,
  type RecorderInput,
  type RecorderTab,
  type RefusedHost,
  recorderMessageSchema,
  recorderProtocol,
} from '../../../shared/scenario/recorder.ts';
import { callEndpoint, UnreachableError } from '../../api/late-call.ts';
import { ActionButton, ButtonRow, PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Icon, Notice } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form-fields.tsx';
import { LinkButton } from '../../components/links.tsx';
import { describeAction } from '../../format/browser-action.ts';
import { printCount } from '../../format/printed-figures.ts';
import { Picture } from './picture.tsx';
import classes from './record.module.css';
import { follow, nothingYet, RecorderTools, type RecorderView } from './recorder-tools.tsx';

/** `/record/{sid}`: a browser on the server, to be used like one of one's own, and what it records. */
export default function RecorderPage() {
  const { sid = '' } = useParams();
  const navigate = useNavigate();
  const { view, error, canvas, send } = useRecorder(sid);
  const [picking, setPicking] = useState(false);
  const report = `/scenarios?recording=${sid}`;

  if (error !== null) {
    return (
      <>
        <PageHead tab="Recording" title="This recording cannot be opened" />
        <ProblemNotice error={error} />
        <p className={classes.after}>
          <LinkButton to="/record">Record again</LinkButton>
        </p>
      </>
    );
  }
  return (
    <>
      <PageHead tab="Recording" title="Do what your users do">
        <p>
          Click and type in the picture to use a browser on the server. Every step and request is recorded.
          Text typed into password fields is replaced before it is shown or stored.
        </p>
      </PageHead>
      {view.link === 'opening' ? <Waiting>Opening the browser</Waiting> : null}
      <div className={classes.notices} aria-live="polite">
        {view.link === 'lost' ? <Notice tone="warn">Connection lost. Reconnecting …</Notice> : null}
        {view.link === 'taken' ? (
          <Notice tone="warn">This recording is open on another page. Reload to continue here.</Notice>
        ) : null}
        {view.problem === null ? null : <Notice tone="warn">{view.problem}</Notice>}
        {view.ended === null ? null : <EndNotice ending={view.ended} report={report} />}
      </div>
      <div className={classes.columns}>
        <section className={classes.browser} aria-label="Browser" inert={view.ended !== null}>
          <TabStrip tabs={view.tabs} shown={view.shown} send={send} />
          <AddressBar tab={view.tabs.find(({ tab }) => tab === view.shown)} send={send} />
          <Picture
            canvas={canvas}
            viewport={view.viewport}
            picking={picking}
            onPicked={() => setPicking(false)}
            send={send}
          />
          <p className="soft">
            Hover over an element to see how its step will name it. While the picture has focus, all keys go
            to the page, including Tab. Choose from lists with the arrow keys and Enter. Press Shift+Escape to
            leave.
          </p>
          <SiteDialog dialog={view.dialog} send={send} />
        </section>
        <aside className={classes.side}>
          {view.ended === null ? (
            <>
              <RecorderTools view={view} picking={picking} setPicking={setPicking} send={send} />
              <ActionButton
                size="md"
                blocked={view.link === 'opening'}
                onClick={() => void navigate(report, { replace: true })}
              >
                Finish recording
              </ActionButton>
            </>
          ) : null}
          <StepList steps={view.steps} requests={view.requests} refused={view.refused} />
        </aside>
      </div>
    </>
  );
}

type EndProps = { ending: NonNullable<RecorderView['ended']>; report: string };

function EndNotice({ ending, report }: EndProps) {
  return (
    <Notice tone={ending === 'finished' ? 'good' : 'warn'} title={endingSentences[ending]}>
      <p>The recording is kept for ten minutes.</p>
      <p>
        <LinkButton to={report} variant="filled">
          Review scenario
        </LinkButton>
      </p>
    </Notice>
  );
}

type Props = { tabs: RecorderTab[]; shown: number; send: (input: RecorderInput) => void };

/** The open pages, when there is more than one to choose from. */
export function TabStrip({ tabs, shown, send }: Props) {
  if (tabs.length < 2) return null;
  return (
    <ul className={classes.strip} aria-label="Tabs of the recorded browser">
      {tabs.map(({ tab, title, url }) => {
        const name = title === '' ? url : title;
        return (
          <li key={tab} className={classes.tab}>
            <button
              type="button"
              aria-pressed={tab === shown}
              onClick={() => send({ type: 'show_tab', tab })}
              className={classes.name}
            >
              {name}
            </button>
            <button
              type="button"
              aria-label={`Close ${name}`}
              onClick={() => send({ type: 'close_tab', tab })}
              className={classes.close}
            >
              <Icon name="cross" size={12} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

type ListProps = { steps: BrowserAction[]; requests: number; refused: RefusedHost[] };

/** Steps recorded so far; the newest stays in view. */
export function StepList({ steps, requests, refused }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const newest = steps.length;
  useEffect(() => {
    const element = list.current;
    if (newest > 0) element?.scrollTo({ top: element.scrollHeight });
  }, [newest]);
  return (
    <section aria-labelledby="steps-title" className={classes.steps}>
      <h2 id="steps-title">Steps</h2>
      <p className="soft">
        {printCount(steps.length, 'step')}, {printCount(requests, 'request')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div ref={list} className={classes.list} role="log" aria-label="Recorded steps" tabIndex={0}>
        <ol>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the list
            <li key={index}>{describeAction(step)}</li>
          ))}
        </ol>
      </div>
      {refused.length === 0 ? null : (
        <details className={classes.refused}>
          <summary>{printCount(refused.length, 'host')} not reached</summary>
          <ul>
            {refused.map(({ host, count, reason }) => (
              <li key={host}>
                {host} ({count}): {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

type DialogProps = { dialog: RecorderView['dialog']; send: (input: RecorderInput) => void };

/** A question of the recorded site, which waits until it is answered. */
export function SiteDialog({ dialog, send }: DialogProps) {
  const dismiss = () => {
    if (dialog !== null) send({ type: 'answer', accept: false, text: '' });
  };
  return (
    <Dialog open={dialog !== null} title="The page says" onClose={dismiss}>
      {dialog === null ? null : <Question dialog={dialog} send={send} dismiss={dismiss} />}
    </Dialog>
  );
}

type Question = {
  dialog: NonNullable<DialogProps['dialog']>;
  send: DialogProps['send'];
  dismiss: () => void;
};

function Question({ dialog, send, dismiss }: Question) {
  const [text, setText] = useState(dialog.text);
  return (
    <Form
      style={{ display: 'grid', gap: '1rem' }}
      onSubmit={() => send({ type: 'answer', accept: true, text })}
    >
      <p>{dialog.message}</p>
      {dialog.kind === 'prompt' ? (
        <TextInput
          aria-label="Your answer"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <ButtonRow>
        <Button type="submit">OK</Button>
        {dialog.kind === 'alert' ? null : (
          <Button variant="default" onClick={dismiss}>
            Cancel
          </Button>
        )}
      </ButtonRow>
    </Form>
  );
}

type BarProps = { tab: RecorderTab | undefined; send: (input: RecorderInput) => void };

const moves = [
  { type: 'back', label: 'Back' },
  { type: 'forward', label: 'Forward' },
  { type: 'reload', label: 'Reload' },
] as const;

export function AddressBar({ tab, send }: BarProps) {
  /** Null while nobody writes into it: then it shows where the page is. */
  const [typed, setTyped] = useState<string | null>(null);
  const url = tab?.url === 'about:blank' ? '' : (tab?.url ?? '');
  return (
    <Form
      className={classes.bar}
      onSubmit={() => {
        const address = (typed ?? url).trim();
        if (address !== '') send({ type: 'open', url: address });
        setTyped(null);
      }}
    >
      <div className={classes.moves}>
        {moves.map(({ type, label }) => (
          <Button key={type} variant="default" size="sm" onClick={() => send({ type })}>
            {label}
          </Button>
        ))}
      </div>
      <TextInput
        aria-label="Address of the recorded page"
        className={classes.address ?? ''}
        value={typed ?? url}
        maxLength={8000}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <span className={classes.state} role="status">
        {tab?.loading === true ? 'Loading …' : ''}
      </span>
    </Form>
  );
}

type Recorder = {
  view: RecorderView;
  /** The recording cannot be reached at all. */
  error: Error | null;
  canvas: RefObject<HTMLCanvasElement | null>;
  send(input: RecorderInput): void;
};

const retryMs = 1_000;
/** The server says so when another page takes the recording over. */
const replaced = 4001;

/** Follows a recording over its WebSocket, and draws its pictures. A lost connection is taken up again. */
export function useRecorder(sid: string): Recorder {
  const [view, tell] = useReducer(follow, nothingYet);
  const [error, setError] = useState<Error | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const open = useRef<WebSocket | null>(null);

  useEffect(() => {
    const gone = new AbortController();
    let timer = 0;
    let over = false;

    async function connect(): Promise<void> {
      try {
        const { ticket } = await callEndpoint(recordingEndpoints.recordingTicket, {
          params: { sid },
          signal: gone.signal,
        });
        if (gone.signal.aborted) return;
        const socket = new WebSocket(socketAddress(sid), [recorderProtocol, ticket]);
        open.current = socket;
        socket.onopen = () => tell({ type: 'link', link: 'open' });
        socket.onmessage = ({ data }) => {
          if (data instanceof Blob) return void draw(data, canvas.current).then(() => reply(socket));
          const message = recorderMessageSchema.parse(JSON.parse(data));
          over ||= message.type === 'ended';
          tell({ type: 'message', message, now: Date.now() });
        };
        socket.onclose = ({ code }) => {
          if (gone.signal.aborted || over) return;
          if (code === replaced) tell({ type: 'link', link: 'taken' });
          else again();
        };
      } catch (thrown) {
        if (gone.signal.aborted) return;
        if (thrown instanceof UnreachableError) again();
        else setError(thrown as Error);
      }
    }

    function again(): void {
      tell({ type: 'link', link: 'lost' });
      timer = window.setTimeout(connect, retryMs);
    }

    void connect();
    return () => {
      gone.abort();
      clearTimeout(timer);
      open.current?.close();
    };
  }, [sid]);

  const send = useCallback((input: RecorderInput) => {
    if (open.current?.readyState === WebSocket.OPEN) open.current.send(JSON.stringify(input));
  }, []);
  return { view, error, canvas, send };
}

function socketAddress(sid: string): string {
  const address = new URL(
    addressOf(recordingEndpoints.finishRecording, { params: { sid } }).replace(/\/finish$/, ''),
    location.href,
  );
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

async function draw(jpeg: Blob, canvas: HTMLCanvasElement | null): Promise<void> {
  const picture = await createImageBitmap(jpeg).catch(() => null);
  if (picture !== null && canvas !== null) {
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    canvas.getContext('2d', { alpha: false })?.drawImage(picture, 0, 0);
  }
  picture?.close();
}

/** Whether it could be drawn or not, the next one may come. */
function reply(socket: WebSocket): void {
  const drawn: RecorderInput = { type: 'drawn' };
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(drawn));
}
