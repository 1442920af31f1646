import '../app/read-without-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../app/mantine.css';
import '../app/styles.css';
import { FilePage } from './file-page.tsx';
import { readResult } from './read-result.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('page.html has no #root');

createRoot(root).render(
  <StrictMode>
    <FilePage result={readResult()} />
  </StrictMode>,
);
