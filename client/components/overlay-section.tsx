import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import { permalinkIdSchema } from '../../shared/base/units.ts';
import type { ShownMeasurement } from '../../shared/results/shown-measurement.ts';
import { mayCall } from '../api/identity.ts';
import { recentQuery } from '../api/queries.ts';
import { measurementQuery } from '../api/result-queries.ts';
import { printWhen } from '../format/printed-figures.ts';
import { Waiting } from './action-button.tsx';
import { ProblemNotice } from './answer.tsx';
import { Section } from './card.tsx';
import { served, useAddress } from './links.tsx';

const none = 'none';
const mostListed = 50;

type Props<Document> = { document: Document; children: (other: Document) => ReactNode };

/** Another measurement of the same kind to compare with. Which one is part of the address. An example stands for itself. */
export function OverlaySection<Document extends ShownMeasurement>(props: Props<Document>) {
  return served && props.document.example !== true ? <Overlay {...props} /> : null;
}

function Overlay<Document extends ShownMeasurement>({ document, children }: Props<Document>) {
  const { data: finished = [] } = useQuery({
    ...recentQuery(document.kind, mostListed, 'finished'),
    enabled: mayCall(measurementEndpoints.listMeasurements),
  });
  const others = finished.filter(({ id }) => id !== document.id);
  const listed = others.map(({ id }) => id);
  // A link may name one that is older than those listed.
  const linked = permalinkIdSchema.safeParse(useSearchParams()[0].get('with')).data;
  const unlisted = linked === undefined || linked === document.id || listed.includes(linked) ? [] : [linked];
  const [chosen, choose] = useAddress<string>('with', [...listed, ...unlisted], none);
  if (others.length === 0 && unlisted.length === 0) return null;
  return (
    <Section id="overlay" title="Compare with another sweep" card="stack">
      <NativeSelect
        label="Sweep"
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: none, label: 'None' },
          ...others.map(({ id, title, createdAt }) => ({
            value: id,
            label: `${printWhen(createdAt)}: ${title}`,
          })),
          ...unlisted.map((id) => ({ value: id, label: id })),
        ]}
      />
      {chosen === none ? null : (
        <Chosen kind={document.kind} id={chosen}>
          {(other) => children(other as Document)}
        </Chosen>
      )}
    </Section>
  );
}

type ChosenProps = {
  kind: ShownMeasurement['kind'];
  id: string;
  children: (other: ShownMeasurement) => ReactNode;
};

function Chosen({ kind, id, children }: ChosenProps) {
  const { data: other, error } = useQuery(measurementQuery(id));
  if (error !== null) return <ProblemNotice error={error} />;
  if (other === undefined) return <Waiting>Loading the sweep</Waiting>;
  return other.kind === kind ? children(other) : <p>That result is of another kind.</p>;
}
