import { Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { Waiting } from '../components/waiting.tsx';
import { LaunchPage } from '../features/launch/launch-page.tsx';
import { UnknownPage } from '../features/missing/missing-page.tsx';
import { Late } from './late-page.tsx';
import {
  apiPage,
  binPage,
  capacityPage,
  cellPage,
  changesPage,
  docsPage,
  labPage,
  measurementPage,
  probePage,
  recorderPage,
  recordPage,
  revisionPage,
  runsPage,
  scenarioPage,
  scenariosPage,
  schedulesPage,
  sqlPage,
  sweepsPage,
} from './pages.ts';
import { Shell } from './shell.tsx';
import { TroubleBoundary } from './trouble-boundary.tsx';

export function Screens() {
  const { pathname } = useLocation();
  return (
    <Shell>
      <TroubleBoundary key={pathname}>
        <Suspense fallback={<Waiting>Opening the page</Waiting>}>
          <Routes>
            <Route path="/" element={<LaunchPage />} />
            <Route path="/r/:id" element={<Late page={measurementPage} />} />
            <Route path="/r/:id/cells/:cell" element={<Late page={cellPage} />} />
            <Route path="/c/:pair" element={<Late page={changesPage} />} />
            <Route path="/runs" element={<Late page={runsPage} />} />
            <Route path="/runs/bin" element={<Late page={binPage} />} />
            <Route path="/runs/schedules" element={<Late page={schedulesPage} />} />
            <Route path="/scenarios" element={<Late page={scenariosPage} />} />
            <Route path="/scenarios/:id" element={<Late page={scenarioPage} />} />
            <Route path="/s/:id" element={<Late page={revisionPage} />} />
            <Route path="/sweeps" element={<Late page={sweepsPage} />} />
            <Route path="/sql" element={<Late page={sqlPage} />} />
            <Route path="/lab" element={<Late page={labPage} />} />
            <Route path="/lab/probe" element={<Late page={probePage} />} />
            <Route path="/lab/capacity" element={<Late page={capacityPage} />} />
            <Route path="/l/:id" element={<Late page={measurementPage} />} />
            <Route path="/record" element={<Late page={recordPage} />} />
            <Route path="/record/:sid" element={<Late page={recorderPage} />} />
            <Route path="/docs" element={<Late page={docsPage} />} />
            <Route path="/docs/:page" element={<Late page={docsPage} />} />
            <Route path="/api/docs" element={<Late page={apiPage} />} />
            <Route path="*" element={<UnknownPage />} />
          </Routes>
        </Suspense>
      </TroubleBoundary>
    </Shell>
  );
}
