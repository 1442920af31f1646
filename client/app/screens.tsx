import { Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { problem } from '../../shared/base/problem.ts';
import { labPages } from '../../shared/measurement/kind-names.ts';
import type { Role } from '../../shared/team/role.ts';
import { identity, mayCall } from '../api/identity.ts';
import { Waiting } from '../components/waiting.tsx';
import { LaunchPage } from '../features/launch/launch-page.tsx';
import { MissingPage, UnknownPage } from '../features/missing/missing-page.tsx';
import { Late, type LatePage } from './late-page.tsx';
import * as pages from './pages.ts';
import { ProblemBoundary } from './problem-boundary.tsx';
import { Shell } from './shell.tsx';

export function Screens() {
  const { pathname } = useLocation();
  return (
    <Shell>
      <ProblemBoundary key={pathname}>
        <Suspense fallback={<Waiting>Opening the page</Waiting>}>
          {needsSignIn(pathname) ? <Late page={pages.signInPage} /> : pageAt(pathname)}
        </Suspense>
      </ProblemBoundary>
    </Shell>
  );
}

/** Whether the reader must sign in to see this page. The documentation is for everyone. */
function needsSignIn(pathname: string): boolean {
  if (identity === null || identity.actor !== null || /^\/(api\/)?docs(\/|$)/.test(pathname)) return false;
  return !(identity.linksOpen && /^\/[rlscb]\//.test(pathname));
}

/** Where most visits begin, nothing needs the table of routes, which takes a while to set up. */
function pageAt(pathname: string) {
  return pathname === '/' ? <LaunchPage /> : <Pages />;
}

function Pages() {
  return (
    <Routes>
      <Route path="/r/:id" element={<Late page={pages.measurementPage} />} />
      <Route path="/r/:id/cells/:cell" element={<Late page={pages.cellPage} />} />
      <Route path="/b/:id" element={<Late page={pages.batchPage} />} />
      <Route path="/c/:pair" element={<Late page={pages.changesPage} />} />
      <Route path="/results" element={<Late page={pages.resultsPage} />} />
      <Route path="/examples" element={<Late page={pages.examplesPage} />} />
      <Route path="/runs" element={<Late page={pages.runsPage} />} />
      <Route path="/runs/bin" element={<Late page={pages.binPage} />} />
      <Route path="/runs/schedules" element={<Late page={pages.schedulesPage} />} />
      <Route path="/runners" element={<Late page={pages.runnersPage} />} />
      <Route path="/scenarios" element={<Late page={pages.scenariosPage} />} />
      <Route path="/scenarios/:id" element={<Late page={pages.scenarioPage} />} />
      <Route path="/s/:id" element={<Late page={pages.revisionPage} />} />
      <Route path="/sql" element={<Late page={pages.sqlPage} />} />
      <Route path="/studies" element={<Late page={pages.studiesPage} />} />
      {labPages.map(({ kind, path }) => (
        <Route key={path} path={path} element={<Late page={pages.startPages[kind]} />} />
      ))}
      <Route path="/lab/probe" element={<Permitted least="operator" page={pages.probePage} />} />
      <Route path="/lab/capacity" element={<Late page={pages.capacityPage} />} />
      <Route path="/l/:id" element={<Late page={pages.measurementPage} />} />
      <Route path="/record" element={<Permitted least="operator" page={pages.recordPage} />} />
      <Route path="/record/:sid" element={<Permitted least="operator" page={pages.recorderPage} />} />
      <Route path="/targets" element={<Permitted least="operator" page={pages.targetsPage} />} />
      <Route path="/audit" element={<Permitted least="admin" page={pages.auditPage} />} />
      <Route path="/account" element={<Late page={pages.accountPage} />} />
      <Route path="/docs" element={<Late page={pages.docsPage} />} />
      <Route path="/docs/:page" element={<Late page={pages.docsPage} />} />
      <Route path="/api/docs" element={<Late page={pages.apiPage} />} />
      <Route path="*" element={<UnknownPage />} />
    </Routes>
  );
}

/** A page that is of no use to those with a lower role. */
function Permitted({ least, page }: { least: Role; page: LatePage }) {
  if (mayCall({ access: least })) return <Late page={page} />;
  return <MissingPage error={problem('role_too_low', `This page needs the role ${least}.`)} />;
}
