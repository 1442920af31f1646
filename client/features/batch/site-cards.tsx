import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { BatchSite } from '../../../shared/measurement/batch.ts';
import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { mayCall } from '../../api/identity.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { Badge, LookBadge } from '../../components/badge.tsx';
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
        <li key={site.id}>{siteCard(site)}</li>
      ))}
    </CardList>
  );
}

function siteCard(site: BatchSite): ReactNode {
  const { measurement } = site;
  if (measurement === null) return <Deleted site={site} />;
  if (measurement.state === 'queued') return <Queued site={site} measurement={measurement} />;
  if (measurement.state === 'running') return <Running site={site} measurement={measurement} />;
  return <Over site={site} measurement={measurement} />;
}

function Deleted({ site: { labels, deleted, url } }: { site: BatchSite }) {
  return (
    <>
      <Head name={printLabels(labels)} badge={<Badge tone="quiet">Deleted</Badge>} />
      {deleted === 'binned' ? <Link to={url}>In the bin</Link> : <p>This measurement was deleted.</p>}
    </>
  );
}

type Props = { site: BatchSite; measurement: MeasurementSummary };

function Queued({ site: { id, labels, url }, measurement }: Props) {
  const name = printLabels(labels);
  return (
    <>
      <Head name={name} badge={<StateBadge measurement={measurement} />} />
      <Link to={url}>{queueText(measurement.queuePosition)}</Link>
      {mayCall({ access: 'reader' }) ? <Stranded id={id} name={name} /> : null}
    </>
  );
}

function Stranded({ id, name }: { id: string; name: string }) {
  const { data } = useQuery(runnersQuery);
  if (data?.stranded.some((each) => each.id === id) !== true) return null;
  return <p>No runner with {name} is connected.</p>;
}

function Running({ site: { labels, url, runner, progress }, measurement }: Props) {
  const name = printLabels(labels);
  return (
    <>
      <Head name={name} badge={<StateBadge measurement={measurement} />} />
      <ProgressBar
        label={`Progress of ${name}`}
        text={progressText(progress)}
        fraction={progress?.fraction ?? 0}
      />
      <Link to={url}>Live figures</Link>
      {runner === null ? null : <p>On {runner}</p>}
    </>
  );
}

function Over({ site: { labels, url, runner }, measurement }: Props) {
  const { problem, generatedTitle } = measurement;
  const { title } = describeMeasurement({ ...measurement, title: generatedTitle });
  return (
    <>
      <Head name={printLabels(labels)} badge={<StateBadge measurement={measurement} />} />
      <Link to={url}>{title}</Link>
      {problem === null ? null : <p>{problem.detail}</p>}
      {runner === null ? null : <p>Measured by {runner}</p>}
    </>
  );
}

function Head({ name, badge }: { name: string; badge: ReactNode }) {
  return (
    <div className={classes.head}>
      <h2>{name}</h2>
      {badge}
    </div>
  );
}

function StateBadge({ measurement }: { measurement: MeasurementSummary }) {
  const { look } = describeMeasurement(measurement);
  return <LookBadge look={look} />;
}
