import './app/read-without-eval.ts';
import { StrictMode } from 'react';
import { ProblemError } from '../shared/base/problem.ts';
import './app/mantine.css';
import './app/styles.css';
import { keepFocus, openFirstScreen } from './app/first-screen.ts';
import { App, createQueryClient } from './app/screens.tsx';
import { watchHistory } from './components/dialog.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// A problem is an answer that a page shows; only what nobody foresaw belongs in the console.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ProblemError)) console.error(error);
};

watchHistory();
keepFocus(root);
const queryClient = createQueryClient();

// React makes errors when it starts, and a browser whose tools are open then reads again whatever file is being evaluated: not this one.
const starting = import('react-dom/client');
Promise.all([starting, openFirstScreen(location.pathname, queryClient)]).then(([{ createRoot }]) => {
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>,
  );
});
