import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import { callEndpoint, late, problemOf, UnreachableError } from '../../api/late-call.ts';
import { scenarioQuery } from '../../api/queries.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { withoutOptions } from '../../format/sides.ts';
import {
  emptySides,
  type LaunchForm,
  type OptionId,
  ownScenario,
  type SetField,
  storedScenarioOf,
} from './form-shape.ts';
import { keepDraft, readDraft } from './launch-draft.ts';
import { tlsMessageOf } from './more-of-origins.tsx';

/** Fields that a preflight looks at. A change of any of them makes the shown report a report of something else. */
const checkedFields: readonly (keyof LaunchForm)[] = [
  'targetKind',
  'http',
  'https',
  'path',
  'ca',
  'trust',
  'twin',
  'pid',
  'server',
  'scenario',
  'ownScenario',
  'secrets',
  ...(Object.keys(emptySides) as (keyof typeof emptySides)[]),
  ...comparisonOptions.filter(({ part }) => part !== null).map(({ id }) => id as OptionId),
  'connectionPolicy',
];

/** Problems with the two sides that the check explains in more detail. */
const explainedByCheck: readonly (ProblemCode | null)[] = [
  'target_unreachable',
  'tls_not_offered',
  'scenario_unfit',
  'not_comparable',
];

/** The form of a run, and what is done with it: the target is checked, or the run starts. */
export function useLaunch() {
  const [form, setForm] = useState(readDraft);
  const [tried, setTried] = useState(false);
  useEffect(() => keepDraft(form), [form]);
  const secretNames = useSecretNames(form);
  const launch = useCreateMeasurement();
  const preflight = useMutation({
    mutationFn: async (body: PreflightRequest) => callEndpoint((await late.target()).preflight, { body }),
  });
  const { maker, withMaker, ...making } = useRequestMaker();
  const parsed = tried ? maker?.parseForm(form, secretNames) : undefined;
  const refused =
    (launch.error === null ? null : maker?.messagesOfFields(form, problemOf(launch.error).fields)) ?? {};
  const wrong = problemOfCheck(preflight) ?? Object.values(refused)[0] ?? null;
  const messages = { ...tlsMessageOf(preflight.data), ...refused, ...parsed?.messages };
  const incomplete =
    parsed?.request === null ? (Object.values(messages)[0] ?? 'Correct the marked fields.') : null;

  const set: SetField = (change) => {
    const moved = {
      ...('https' in change ? { trust: '' } : {}),
      ...('sides.comparison.target.origin' in change ? { 'sides.comparison.target.trust': '' } : {}),
    };
    setForm((current) => ({ ...current, ...change, ...moved }));
    launch.reset();
    if (checkedFields.some((field) => field in change)) {
      preflight.reset();
      setTried(false);
    }
  };
  const submit = () =>
    withMaker(({ parseForm, preflightOf }) => {
      setTried(true);
      const asked = parseForm(form, secretNames);
      if (asked.request === null || wrong !== null) return;
      const { request, sites } = asked;
      launch.mutate(sites.length > 1 ? { ...request, labels: sites } : request, {
        onError: (error) => {
          if (explainedByCheck.includes(codeOf(error))) preflight.mutate(preflightOf(request));
        },
      });
    });
  const check = (asked = form) =>
    withMaker(({ parseForm, preflightOf }) => {
      setTried(true);
      launch.reset();
      const { request } = parseForm(asked, secretNames);
      if (request !== null) preflight.mutate(preflightOf(request));
    });
  return {
    fields: { form, set, messages },
    preflight,
    pending: launch.isPending || making.pending,
    error: making.error ?? (Object.keys(refused).length === 0 ? launch.error : null),
    problem: wrong ?? incomplete,
    submit,
    check: () => check(),
    /** Applies a change that the check offered, and checks again. */
    take(change: Partial<LaunchForm>) {
      set(change);
      check({ ...form, ...change });
    },
  };
}

function useSecretNames(form: LaunchForm): string[] | undefined {
  const id = storedScenarioOf(form);
  const { data } = useQuery({ ...scenarioQuery(id ?? ''), enabled: id !== null });
  return form.scenario === ownScenario ? undefined : data?.secrets;
}

type Check = { error: Error | null; data: PreflightAnswer | undefined };

/** A run waits in the queue until the target can be checked. */
function problemOfCheck({ error, data }: Check): string | null {
  if (error !== null && codeOf(error) !== 'target_busy') return problemOf(error).detail;
  return data?.problem == null ? null : withoutOptions(data.problem);
}

function codeOf(error: Error): ProblemCode | null {
  return error instanceof ProblemError ? error.problem.code : null;
}

type RequestMaker = typeof import('./launch-form.ts');

/**
 * Loads the code that checks the form and makes a request of it. The form is shown without it, because its schemas take a while to set up.
 * @returns `maker`, null until it is there, and `withMaker`, which waits for it
 */
function useRequestMaker() {
  const [maker, setMaker] = useState<RequestMaker | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    // A failure here repeats when a button is pressed, and is reported then.
    open().then(setMaker, () => undefined);
  }, []);

  async function withMaker(use: (maker: RequestMaker) => void) {
    if (maker !== null) return use(maker);
    setPending(true);
    try {
      const opened = await open();
      setMaker(opened);
      setError(null);
      use(opened);
    } catch (cause) {
      setError(new UnreachableError({ cause }));
    }
    setPending(false);
  }
  return { maker, withMaker, pending, error };
}

function open(): Promise<RequestMaker> {
  return import('./launch-form.ts');
}
