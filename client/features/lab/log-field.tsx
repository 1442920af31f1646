import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { problemTold } from '../../../shared/base/problem.ts';
import { printNumber, printWholePercent } from '../../../shared/base/quantity.ts';
import type { LoggedTraffic } from '../../../shared/kinds/prices/access-log.ts';
import { reportTraffic } from '../../../shared/report/traffic-report.ts';
import { ActionButton, ButtonRow } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Notice, Section } from '../../components/card.tsx';
import { FileField, Form } from '../../components/form-fields.tsx';
import { Sections } from '../../components/report-sections.tsx';
import type { LogMessage, LogRequest } from './access-log-worker.ts';

type Props = { take: (traffic: LoggedTraffic) => void };

/** Traffic of the reader's own server from its access log, which a worker of this page reads. */
export function LogField({ take }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState('');
  const { state, read, cancel } = useLogReader();
  const isReading = state?.type === 'progress';
  return (
    <>
      <Section
        id="your-traffic"
        title="Your traffic"
        lead="From an access log. It is read in this browser, and not uploaded."
        card="stack"
      >
        <Form
          className="stack"
          onSubmit={() => {
            if (file !== null) read({ file, format: format.trim() === '' ? null : format });
          }}
        >
          <FileField
            label="Access log"
            hint="Of nginx, Apache, HAProxy, Envoy, Caddy, or Traefik, also as .gz."
            onChoose={(chosen) => {
              cancel();
              setFile(chosen);
            }}
          />
          <TextInput
            label="Log format"
            description="combined, json, haproxy, envoy, or a format string of nginx, Apache, or Envoy"
            placeholder="auto-detect"
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value)}
            maxLength={4000}
            spellCheck={false}
          />
          <ButtonRow>
            <ActionButton type="submit" blocked={file === null} pending={isReading}>
              Read log
            </ActionButton>
            {isReading ? (
              <Button variant="default" onClick={cancel}>
                Cancel
              </Button>
            ) : null}
          </ButtonRow>
        </Form>
        <LogState state={state} />
        {state?.type === 'traffic' ? (
          <ButtonRow>
            <Button onClick={() => take(state.traffic)}>Price this traffic</Button>
          </ButtonRow>
        ) : null}
      </Section>
      {state?.type === 'traffic' ? <Sections of={reportTraffic(state.traffic).sections} /> : null}
    </>
  );
}

function LogState({ state }: { state: LogMessage | null }) {
  switch (state?.type) {
    case undefined:
      return null;
    case 'progress':
      return (
        <p>
          {printWholePercent(state.share)} read, {printNumber(state.lines, 0)} lines
        </p>
      );
    case 'problem':
      return <ProblemNotice error={problemTold(state.problem)} />;
    case 'traffic': {
      const { title, about, notes } = reportTraffic(state.traffic);
      return (
        <>
          <p role="status">
            {title}. {about.join(' ')}
          </p>
          {notes.map((note) => (
            <Notice key={note} tone="warn">
              {note}
            </Notice>
          ))}
        </>
      );
    }
  }
}

/** Reads one log at a time: another file, Cancel, or leaving the page ends the worker. */
function useLogReader() {
  const [state, setState] = useState<LogMessage | null>(null);
  const reading = useRef<Worker | null>(null);
  useEffect(() => () => reading.current?.terminate(), []);
  function cancel() {
    reading.current?.terminate();
    setState(null);
  }
  function read(request: LogRequest) {
    reading.current?.terminate();
    const worker = new Worker(new URL('./access-log-worker.ts', import.meta.url), { type: 'module' });
    reading.current = worker;
    setState({ type: 'progress', share: 0, lines: 0 });
    worker.onmessage = ({ data }: MessageEvent<LogMessage>) => {
      setState(data);
      if (data.type !== 'progress') worker.terminate();
    };
    worker.postMessage(request);
  }
  return { state, read, cancel };
}
