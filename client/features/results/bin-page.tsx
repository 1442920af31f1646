import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Binned, binDays } from '../../../shared/results/schedule.ts';
import { isOurs } from '../../api/kept-texts.ts';
import { useActOnBin } from '../../api/result-mutations.ts';
import { binQuery } from '../../api/result-queries.ts';
import { ActionButton, ButtonRow, PageHead } from '../../components/action-button.tsx';
import { Answer, ProblemNotice } from '../../components/answer.tsx';
import { Card, Section } from '../../components/card.tsx';
import { DeleteButton } from '../../components/dialog.tsx';
import { LinkItem, LinkRows, ListEnd } from '../../components/links.tsx';
import { Problems } from '../../components/waterfall.tsx';
import { describeMeasurement } from '../../format/lines.ts';
import { printCount, printWhen } from '../../format/printed-figures.ts';

/** Deleted results, which the browser that started them can restore until they are removed for good. */
export default function BinPage() {
  const list = useInfiniteQuery(binQuery);
  const restore = useActOnBin('restoreMeasurements');
  const remove = useActOnBin('removeMeasurements');
  const binned = list.data?.pages.flatMap((page) => page.binned) ?? [];
  const ours = binned.flatMap(({ measurement: { id } }) => (isOurs(id) ? [id] : []));
  return (
    <>
      <PageHead tab="Bin" title="Bin">
        <p>
          Deleted results are removed for good after {binDays} days. Until then, the browser that started one
          can restore it. <Link to="/runs">All results</Link>
        </p>
      </PageHead>
      <ProblemNotice error={restore.error} />
      <Problems refused={[restore, remove].flatMap(({ data }) => data?.refused ?? [])} />
      <Answer of={list} waiting="Loading the bin">
        {() =>
          binned.length === 0 ? (
            <Card>
              <p>The bin is empty.</p>
            </Card>
          ) : (
            <Section id="deleted" title="Deleted results" card="flush">
              <LinkRows labelledBy="deleted-title">
                {binned.map((each) => (
                  <BinLine
                    key={each.measurement.id}
                    binned={each}
                    pending={restore.isPending && restore.variables.includes(each.measurement.id)}
                    onRestore={() => restore.mutate([each.measurement.id])}
                    onRemove={() => remove.mutateAsync([each.measurement.id])}
                  />
                ))}
              </LinkRows>
            </Section>
          )
        }
      </Answer>
      <ListEnd list={list}>
        {ours.length < 2 ? null : (
          <DeleteButton
            what={`${printCount(ours.length, 'result')} for good`}
            name="Empty the bin"
            onDelete={() => remove.mutateAsync(ours)}
          >
            Their figures are removed, and their links say that they were deleted.
          </DeleteButton>
        )}
      </ListEnd>
    </>
  );
}

type LineProps = {
  binned: Binned;
  pending: boolean;
  onRestore: () => void;
  onRemove: () => Promise<unknown>;
};

function BinLine({ binned: { measurement, deletedAt, removedAt }, pending, onRestore, onRemove }: LineProps) {
  const { title, details, look } = describeMeasurement(measurement);
  const stay = `deleted ${printWhen(deletedAt)}, kept until ${printWhen(removedAt)}`;
  return (
    <LinkItem
      line={{ href: measurement.url, title, detail: [...details, stay].join(' · '), look }}
      {...(isOurs(measurement.id) && {
        below: (
          <ButtonRow>
            <ActionButton
              variant="default"
              size="compact-sm"
              aria-label={`Restore ${title}`}
              pending={pending}
              onClick={onRestore}
            >
              Restore
            </ActionButton>
            <DeleteButton small what={`“${title}” for good`} name="Delete for good" onDelete={onRemove}>
              Its figures are removed, and its link says that it was deleted.
            </DeleteButton>
          </ButtonRow>
        ),
      })}
    />
  );
}
