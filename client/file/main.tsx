import '../app/read-without-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../app/mantine.css';
import '../app/styles.css';
import { kinds } from '../app/kinds.ts';
import type { AnyView } from '../features/measurement/kind-view.ts';
import type { LateView } from '../features/measurement/late-view.ts';
import { FilePage } from './file-page.tsx';
import { readSaved } from './read-result.ts';
import { ReportPage } from './report-page.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('page.html has no #root');

const saved = readSaved();
const results = 'results' in saved ? saved.results : [saved];
const names = [...new Set(results.map(({ document }) => document.kind))];
const opened = await Promise.all(names.map((name) => (kinds[name] as LateView<AnyView>).open()));
const views = new Map(names.map((name, index) => [name, opened[index] as AnyView]));

createRoot(root).render(
  <StrictMode>
    {'results' in saved ? (
      <ReportPage report={saved} views={views} />
    ) : (
      <FilePage result={saved} Finished={(views.get(saved.document.kind) as AnyView).Finished} />
    )}
  </StrictMode>,
);
