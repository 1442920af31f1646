import { Link } from 'react-router';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';
import { explainSentences } from '../../../../shared/kinds/explain/explain-sentence.ts';
import {
  countsInWords,
  instructionSentences,
} from '../../../../shared/kinds/explain/instruction-sentence.ts';
import { defaultViewState, printViewState } from '../../../../shared/measurement/view-state.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';
import { CostGroupTable } from '../../../components/cost-group-table.tsx';
import { FlameFigure } from '../../../components/flame-figure.tsx';
import { loadFacts } from '../../../components/load-facts.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { Section } from '../../../components/section.tsx';
import { served } from '../../../components/served.ts';
import { printCount } from '../../../format/count.ts';
import { InstructionSections } from './instruction-sections.tsx';

type Props = { document: ExplainDocument; takeFocus: boolean };

export function ExplainResultPage({ document, takeFocus }: Props) {
  const { groups, request, instructions, server } = document;
  return (
    <>
      <ResultHead
        document={document}
        tab="Where the microseconds go"
        sentences={
          instructions === null ? explainSentences(document) : instructionSentences({ request, instructions })
        }
        counts={instructions === null ? samplesInWords(document) : countsInWords(instructions)}
        takeFocus={takeFocus}
      />
      {instructions === null ? null : <InstructionSections instructions={instructions} request={request} />}
      {groups.length === 0 ? null : (
        <>
          <Section id="groups" title="What it goes to" card="stack">
            <CostGroupTable document={document} />
          </Section>
          <Section id="functions" title="Functions" card="stack">
            <FlameFigure document={document} />
          </Section>
        </>
      )}
      <MethodSection
        plan={[
          {
            name: 'Server',
            value: softwareInWords(server),
          },
          { name: 'Run', value: request.run === undefined ? null : <Explained document={document} /> },
          { name: 'Valgrind', value: instructions?.valgrind ?? null },
          ...loadFacts(document),
        ]}
        machine={document.environment}
      />
    </>
  );
}

/** The run on whose page it stands. */
function Explained({ document: { id, request } }: Pick<Props, 'document'>) {
  const run = request.run?.id ?? '';
  const query = printViewState({ ...defaultViewState, explain: id });
  return served ? <Link to={`/r/${run}?${query}#where-it-goes`}>{run}</Link> : <code>{run}</code>;
}

function samplesInWords({ launches, request, samples }: ExplainDocument): string {
  const taken = printNumber(samples.baseline + samples.comparison, 0);
  return `${launches.length} of ${printCount(request.launches, 'launch')}, ${taken} samples`;
}
