import { MemoryRouter } from 'react-router';
import { printMoment } from '../../shared/base/moment.ts';
import { ColorSchemeSwitch } from '../app/color-scheme-switch.tsx';
import { Logo } from '../app/logo.tsx';
import { Look } from '../app/look.tsx';
import shell from '../app/shell.module.css';
import type { AnyView } from '../features/measurement/kind-view.ts';
import { useUnfolding } from '../features/measurement/unfold.ts';
import { WrittenAnnotation } from '../features/measurement/written-annotation.tsx';
import { AboutFile } from './about-file.tsx';
import classes from './file-page.module.css';
import type { SavedResult } from './read-result.ts';

type Props = { result: SavedResult; Finished: AnyView['Finished'] };

/** The page of one result, in a file of its own. Its address is that of a file, so the view is kept in memory. */
export function FilePage({ result: { document, annotation }, Finished }: Props) {
  return (
    <Look>
      {/* A radio button that lives in the view must move at once, not in a transition. */}
      <MemoryRouter useTransitions={false}>
        <div className={shell.page}>
          <header className={shell.header}>
            <div className={shell.bar}>
              <span className={shell.brand}>
                <Logo />
                <span>TLS Toll</span>
              </span>
              <span className={classes.copy}>Saved result of {printMoment(document.createdAt)}</span>
              <ColorSchemeSwitch />
            </div>
          </header>
          <main className={shell.content}>
            <WrittenAnnotation annotation={annotation} />
            <Result document={document} Finished={Finished} />
          </main>
        </div>
      </MemoryRouter>
    </Look>
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
