import type { SetupDifference } from '../../../shared/kinds/comparison/result-changes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';

/** Differences in the set-up that may explain a change. */
export function SetupSection({ differences }: { differences: readonly SetupDifference[] }) {
  if (differences.length === 0) {
    return (
      <Section id="setup" title="Set-up">
        <p>Nothing differs in the set-up.</p>
      </Section>
    );
  }
  return (
    <Section
      id="setup"
      title="What differs in the set-up"
      lead="Any of these can cause a change."
      card="flush"
    >
      <DataTable
        caption="What differs in the set-up"
        text
        rows={differences}
        keyOf={({ name }) => name}
        columns={[
          { label: 'Set-up', cell: ({ name }) => name },
          { label: 'First', cell: ({ from }) => from },
          { label: 'Second', cell: ({ to }) => to },
        ]}
      />
    </Section>
  );
}
