import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { endingSentences } from '../../../shared/scenario/recorder.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { AddressBar } from './address-bar.tsx';
import { Picture } from './picture.tsx';
import classes from './record.module.css';
import { RecorderTools } from './recorder-tools.tsx';
import { SiteDialog } from './site-dialog.tsx';
import { StepList } from './step-list.tsx';
import { TabStrip } from './tab-strip.tsx';
import { useRecorder } from './use-recorder.ts';

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
        {view.ended === null ? null : (
          <Notice tone={view.ended === 'finished' ? 'good' : 'warn'} title={endingSentences[view.ended]}>
            <p>The recording is kept for ten minutes.</p>
            <p>
              <LinkButton to={report}>Review scenario</LinkButton>
            </p>
          </Notice>
        )}
      </div>
      <div className={classes.columns}>
        <section className={classes.browser} aria-label="Browser">
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
          <RecorderTools view={view} picking={picking} setPicking={setPicking} send={send} />
          <ActionButton
            size="md"
            blocked={view.link === 'opening'}
            onClick={() => void navigate(report, { replace: true })}
          >
            Finish recording
          </ActionButton>
          <StepList steps={view.steps} requests={view.requests} refused={view.refused} />
        </aside>
      </div>
    </>
  );
}
