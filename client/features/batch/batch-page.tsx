import type { Batch } from '../../../shared/measurement/batch.ts';
import { batchQuery, isDone } from '../../api/batch-queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Permalinked } from '../../components/permalinked.tsx';
import { printCount } from '../../format/count.ts';
import { printWhen } from '../../format/when.ts';
import { FiguresSection } from './figures-section.tsx';
import { SiteCards } from './site-cards.tsx';

/** One request that several runners measure at once: a column for each site. */
export default function BatchPage() {
  return (
    <Permalinked query={batchQuery} code="batch_not_found" waiting="Opening the sites">
      {(batch) => <Sites batch={batch} />}
    </Permalinked>
  );
}

function Sites({ batch }: { batch: Batch }) {
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
