import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { batchOfQuery } from '../../api/batch-queries.ts';
import classes from './annotation-section.module.css';

/** From one of several sites to all of them. Only a runner measures for a site, so others are not asked about. */
export function BatchLine({ document: { id, state, environment } }: { document: ShownMeasurement }) {
  const enabled = state === 'queued' || environment.runner !== undefined;
  const { data: batch } = useQuery({ ...batchOfQuery(id), enabled });
  if (batch == null) return null;
  const sites = batch.sites.map(printLabels).join(', ');
  return (
    <p className={classes.batch}>
      One of <Link to={batch.url}>{batch.sites.length} sites</Link>: {sites}
    </p>
  );
}
