import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense } from 'react';
import { BrowserRouter, Link, Route, Routes, useLocation } from 'react-router';
import { ProblemError, problem } from '../../shared/base/problem.ts';
import type { ProblemCode } from '../../shared/base/problem-catalogue.ts';
import { labPages } from '../../shared/measurement/kind-names.ts';
import type { Role } from '../../shared/team/role.ts';
import { identity, mayCall } from '../api/identity.ts';
import { isOurs } from '../api/kept-texts.ts';
import { problemOf, type ShownProblem, starting } from '../api/late-call.ts';
import type { BinAct } from '../api/result-mutations.ts';
import { ActionButton, ButtonRow, PageHead, Waiting } from '../components/action-button.tsx';
import { ProblemNotice } from '../components/answer.tsx';
import { Icon } from '../components/card.tsx';
import { DeleteButton } from '../components/dialog.tsx';
import { LaunchPage } from '../features/launch/launch-page.tsx';
import type { IconName } from '../format/looks.ts';
import { Late, type LatePage } from './late-page.tsx';
import { Look as AppLook } from './look.tsx';
import classes from './missing.module.css';
import * as pages from './pages.ts';
import { Shell } from './shell.tsx';

function Screens() {
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

/** Most visits begin at `/`. It skips the table of routes, which takes a while to set up. */
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
      <Route path="/lab" element={<Late page={pages.labPage} />} />
      {labPages.map(({ kind, path }) => (
        <Route key={path} path={path} element={<Late page={pages.startPages[kind]} />} />
      ))}
      <Route path="/lab/probe" element={<Permitted least="operator" page={pages.probePage} />} />
      <Route path="/lab/bill" element={<Late page={pages.billPage} />} />
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

type Props = { children: ReactNode };
type State = { error: unknown };

/** The one place where what a screen cannot show becomes a page: deleted, unknown and newer runs, a silent server, our own mistakes. */
class ProblemBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <MissingPage error={this.state.error} />;
  }
}

/**
 * In place of a screen that cannot be shown: gone, unknown, newer, or an error. To someone who was at work on the page, such as
 * by deleting the run, it gives the keyboard back; a freshly opened link starts at its top as every page does.
 */
function MissingPage({ error }: { error: unknown }) {
  const failure = problemOf(error);
  const code = error instanceof ProblemError ? error.problem.code : null;
  const { icon, more } = (code === null ? undefined : looks[code]) ?? usual;
  return (
    <div className={classes.page}>
      <PageHead
        tab={failure.title}
        title={failure.title}
        takeFocus={navigator.userActivation.hasBeenActive}
        above={
          <span className={classes.icon}>
            <Icon name={icon} size={28} />
          </span>
        }
      >
        <p>{detailOf(failure)}</p>
        {more === undefined ? null : <p>{more}</p>}
        {code === 'run_binned' ? <BinnedWays /> : null}
      </PageHead>
      <ul className={classes.ways}>
        {mayCall(starting) ? (
          <li>
            <Link to="/">Start a run</Link>
          </li>
        ) : null}
        <li>
          <Link to="/scenarios">All scenarios</Link>
        </li>
        <li>
          <Link to="/runs">All runs</Link>
        </li>
      </ul>
    </div>
  );
}

function UnknownPage() {
  return <MissingPage error={problem('not_found', 'TLS Toll has no page at this address.')} />;
}

function detailOf({ detail, advice }: ShownProblem): string {
  return detail.includes(advice) ? detail : `${detail} ${advice}`;
}

type Look = { icon: IconName; more?: string };

const usual: Look = { icon: 'exclamation' };
const looks: Partial<Record<ProblemCode, Look>> = {
  run_deleted: { icon: 'minus', more: 'Its data was deleted too. Only a record that it existed remains.' },
  run_newer: { icon: 'up', more: 'The stored run is intact and opens in the newer version.' },
  run_binned: { icon: 'minus' },
  scenario_deleted: { icon: 'minus' },
  scenario_not_found: { icon: 'question' },
  revision_not_found: { icon: 'question' },
  run_not_found: { icon: 'question' },
  not_found: { icon: 'question' },
};

/** Restore and delete buttons of a measurement in the bin, in the browser that started it. Both reload the page. */
function BinnedWays() {
  const { pathname } = useLocation();
  const id = /^\/[rl]\/([0-9A-Za-z]{22})(?:\/|$)/.exec(pathname)?.[1];
  const restore = useMutation({ mutationFn: act });
  if (id === undefined || !isOurs(id)) return null;
  return (
    <>
      <ProblemNotice error={restore.error} />
      <ButtonRow>
        <ActionButton pending={restore.isPending} onClick={() => restore.mutate(['restoreMeasurements', id])}>
          Restore
        </ActionButton>
        <DeleteButton
          what="it for good"
          name="Delete for good"
          onDelete={() => act(['removeMeasurements', id])}
        >
          Its figures are removed, and its link says that it was deleted.
        </DeleteButton>
      </ButtonRow>
    </>
  );
}

/** Rejects with the problem that stood against it. */
async function act([name, id]: [BinAct, string]): Promise<void> {
  const { actOnBin } = await import('../api/result-mutations.ts');
  const { refused } = await actOnBin(name, [id]);
  const [why] = refused;
  if (why !== undefined) throw problem(why.problem.code, why.problem.detail);
  location.reload();
}

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <AppLook>
      <QueryClientProvider client={queryClient}>
        {/* A radio button that lives in the address must move at once, not in a transition. */}
        <BrowserRouter useTransitions={false}>
          <Screens />
        </BrowserRouter>
      </QueryClientProvider>
    </AppLook>
  );
}

/** A problem is an answer and is not asked for again; only a server that did not answer is tried once more. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (failures, error) => !(error instanceof ProblemError) && failures < 1,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
