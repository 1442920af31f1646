import { lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { Waiting } from '../components/waiting.tsx';
import { LaunchPage } from '../features/launch/launch-page.tsx';
import { UnknownPage } from '../features/missing/missing-page.tsx';
import { Shell } from './shell.tsx';
import { TroubleBoundary } from './trouble-boundary.tsx';

const RunPage = lazy(() => import('../features/run/run-page.tsx'));
const RunsPage = lazy(() => import('../features/runs/runs-page.tsx'));

export function Screens() {
  const { pathname } = useLocation();
  return (
    <Shell>
      <TroubleBoundary key={pathname}>
        <Suspense fallback={<Waiting>Opening the page</Waiting>}>
          <Routes>
            <Route path="/" element={<LaunchPage />} />
            <Route path="/r/:id" element={<RunPage />} />
            <Route path="/runs" element={<RunsPage />} />
            <Route path="*" element={<UnknownPage />} />
          </Routes>
        </Suspense>
      </TroubleBoundary>
    </Shell>
  );
}
