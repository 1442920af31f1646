import { MemoryRouter } from 'react-router';
import { printMoment } from '../../shared/base/moment.ts';
import { ExampleNotice } from '../features/measurement/example-notice.tsx';
import type { AnyView } from '../features/measurement/kind-view.ts';
import { useUnfolding } from '../features/measurement/unfold.ts';
import { WrittenAnnotation } from '../features/measurement/written-annotation.tsx';
import { SavedExplanation } from '../features/run/finished/saved-explanation.ts';
import { AboutFile } from './about-file.tsx';
import { FileFrame } from './file-frame.tsx';
import type { SavedResult } from './read-result.ts';

type Props = { result: SavedResult; Finished: AnyView['Finished'] };

/** The page of one result, in a file of its own. Its address is that of a file, so the view is kept in memory. */
export function FilePage({ result: { document, annotation, explained }, Finished }: Props) {
  return (
    <FileFrame copy={`Saved result of ${printMoment(document.createdAt)}`}>
      {/* A radio button that lives in the view must move at once, not in a transition. */}
      <MemoryRouter useTransitions={false}>
        <ExampleNotice document={document} />
        <WrittenAnnotation annotation={annotation} />
        <SavedExplanation value={explained ?? null}>
          <Result document={document} Finished={Finished} />
        </SavedExplanation>
      </MemoryRouter>
    </FileFrame>
  );
}

function Result({ document, Finished }: Pick<SavedResult, 'document'> & Pick<Props, 'Finished'>) {
  useUnfolding();
  return (
    <article>
      <Finished document={document} takeFocus={false} />
      <AboutFile document={document} />
    </article>
  );
}
