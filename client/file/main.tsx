import '../app/read-without-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../app/mantine.css';
import '../app/styles.css';
import { kinds } from '../app/kinds.ts';
import type { AnyView } from '../features/measurement/kind-view.ts';
import type { LateView } from '../features/measurement/late-view.ts';
import { FilePage } from './file-page.tsx';
import { readResult } from './read-result.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('page.html has no #root');

const result = readResult();
const { Finished } = await (kinds[result.document.kind] as LateView<AnyView>).open();
createRoot(root).render(
  <StrictMode>
    <FilePage result={result} Finished={Finished} />
  </StrictMode>,
);
