import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeshDocument } from '../../../../shared/kinds/mesh/mesh.ts';
import { armTitle, meshSentences, roleTitles } from '../../../../shared/kinds/mesh/mesh-sentence.ts';
import { meshFinding } from '../../../../shared/report/mesh-report.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';
import { loadFacts } from '../../../components/load-facts.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { Section } from '../../../components/section.tsx';
import { Sections } from '../../../components/sections.tsx';
import { SourceFiles } from '../../../components/source-files.tsx';
import { printCount } from '../../../format/count.ts';
import { MeshFigure } from './mesh-figure.tsx';

type Props = { document: MeshDocument; takeFocus: boolean };

export function MeshResultPage({ document, takeFocus }: Props) {
  const { arms, request, launches, files, application, proxy } = document;
  const requests = arms.reduce((sum, each) => sum + each.requests, 0);
  return (
    <>
      <ResultHead
        document={document}
        tab="The toll of a mesh"
        sentences={meshSentences(document)}
        counts={`${launches.length} of ${printCount(request.launches, 'launch')}, ${printNumber(requests, 0)} requests at load`}
        takeFocus={takeFocus}
      />
      <Sections
        of={meshFinding(document).sections}
        charts={{ cost: <MeshFigure arms={arms} request={request} /> }}
      />
      {files.length === 0 ? null : (
        <Section id="configuration" title="Configuration" card>
          <SourceFiles
            files={files.map(({ arm, role, name, text }) => ({
              name: `${armTitle(arm, request)}, ${roleTitles[role].toLowerCase()}: ${name}`,
              text,
            }))}
          />
        </Section>
      )}
      <MethodSection
        plan={[
          { name: 'Application', value: nameOf(application) },
          { name: 'Proxy', value: softwareInWords(proxy) },
          ...loadFacts(document),
        ]}
        machine={document.environment}
      />
    </>
  );
}

function nameOf({ title, version }: MeshDocument['proxy']): string {
  return version === null ? title : `${title} ${version}`;
}
