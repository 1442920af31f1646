import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { BatchSite } from '../../../shared/measurement/batch.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { mayCall } from '../../api/identity.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { Badge } from '../../components/badge.tsx';
import { CardList } from '../../components/card-list.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { describeMeasurement } from '../../format/measurement-line.ts';
import { progressText, queueText } from '../../format/progress-text.ts';
import classes from './batch.module.css';

/** How each site stands: its state, its runner, and what it found. */
export function SiteCards({ sites }: { sites: readonly BatchSite[] }) {
  return (
    <CardList label="Sites" facts>
      {sites.map((site) => (
        <li key={site.id}>
          <SiteCard {...site} />
        </li>
      ))}
    </CardList>
  );
}

function SiteCard({ id, labels, url, deleted, measurement, runner, progress }: BatchSite) {
  const name = printLabels(labels);
  if (measurement === null) {
    return (
      <>
        <Head name={name}>
          <Badge tone="quiet">Deleted</Badge>
        </Head>
        {deleted === 'binned' ? <Link to={url}>In the bin</Link> : <p>This measurement was deleted.</p>}
      </>
    );
  }
  const { state, problem, queuePosition, generatedTitle } = measurement;
  const { title, look } = describeMeasurement({ ...measurement, title: generatedTitle });
  const links = { queued: queueText(queuePosition), running: 'Live figures' };
  const isUnderWay = state === 'queued' || state === 'running';
  return (
    <>
      <Head name={name}>
        <Badge tone={look.tone} icon={look.icon}>
          {look.word}
        </Badge>
      </Head>
      {state === 'running' ? (
        <ProgressBar
          label={`Progress of ${name}`}
          text={progressText(progress)}
          fraction={progress?.fraction ?? 0}
        />
      ) : null}
      <Link to={url}>{isUnderWay ? links[state] : title}</Link>
      {state === 'queued' && mayCall({ access: 'reader' }) ? <Stranded id={id} name={name} /> : null}
      {problem === null ? null : <p>{problem.detail}</p>}
      {runner === null || state === 'queued' ? null : (
        <p>
          {isUnderWay ? 'On' : 'Measured by'} {runner}
        </p>
      )}
    </>
  );
}

function Head({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.head}>
      <h2>{name}</h2>
      {children}
    </div>
  );
}

function Stranded({ id, name }: { id: string; name: string }) {
  const { data } = useQuery(runnersQuery);
  if (data?.stranded.some((each) => each.id === id) !== true) return null;
  return <p>No runner with {name} is connected.</p>;
}
