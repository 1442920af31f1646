import '../app/read-without-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../app/mantine.css';
import '../app/styles.css';
import { FilePage } from './file-page.tsx';
import { readSaved } from './read-result.ts';
import { ReportPage } from './report-page.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('page.html has no #root');

const saved = readSaved();

createRoot(root).render(
  <StrictMode>{'results' in saved ? <ReportPage report={saved} /> : <FilePage result={saved} />}</StrictMode>,
);
