import type { SetupDifference } from '../../../shared/kinds/comparison/result-changes.ts';
import { Section } from '../../components/section.tsx';
import { TableSection } from '../../components/table-section.tsx';

export function SetupSection({ differences }: { differences: readonly SetupDifference[] }) {
  if (differences.length === 0) {
    return (
      <Section id="setup" title="Set-up">
        <p>Nothing differs in the set-up.</p>
      </Section>
    );
  }
  return (
    <TableSection
      id="setup"
      title="What differs in the set-up"
      lead="Any of these can cause a change."
      caption="What differs in the set-up"
      text
      rows={differences}
      keyOf={({ name }) => name}
      columns={[
        { label: 'Set-up', cell: ({ name }) => name },
        { label: 'First', cell: ({ from }) => from },
        { label: 'Second', cell: ({ to }) => to },
      ]}
      narrow="cards"
    />
  );
}
