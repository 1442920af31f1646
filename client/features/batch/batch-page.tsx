import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import type { Batch } from '../../../shared/measurement/batch.ts';
import { batchQuery, isDone } from '../../api/batch-queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { printCount } from '../../format/count.ts';
import { printWhen } from '../../format/when.ts';
import { FiguresSection } from './figures-section.tsx';
import { SiteCards } from './site-cards.tsx';

/** One request that several runners measure at once: a column for each site. */
export default function BatchPage() {
  const { id = '' } = useParams();
  if (!permalinkIdSchema.safeParse(id).success) {
    throw problem('batch_not_found', 'The ID in the address is not 22 letters and digits.');
  }
  return <Sites key={id} id={id} />;
}

function Sites({ id }: { id: string }) {
  const { data: batch } = useQuery({
    ...batchQuery(id),
    throwOnError: (error, query) => error instanceof ProblemError || query.state.data === undefined,
  });
  if (batch === undefined) return <Waiting>Opening the sites</Waiting>;
  const { createdAt, sites } = batch;
  return (
    <article>
      <PageHead tab={tabOf(batch)} title={titleOf(batch)}>
        <p>
          {isDone(batch) ? null : 'You can close this page. The measurements continue. '}
          Started <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </PageHead>
      <SiteCards sites={sites} />
      <FiguresSection sites={sites} />
    </article>
  );
}

function titleOf({ title, sites }: Batch): string {
  return `${title ?? 'Deleted measurements'} at ${printCount(sites.length, 'site')}`;
}

function tabOf(batch: Batch): string {
  const count = printCount(batch.sites.length, 'site');
  return isDone(batch) ? count : `Measuring at ${count}`;
}
