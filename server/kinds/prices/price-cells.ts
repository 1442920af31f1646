import { type Arm, type AskedArms, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import {
  type PriceArm,
  type PriceCell,
  type PricesRequest,
  priceSizes,
} from '../../../shared/kinds/prices/prices.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';

/** Cells of a list, and how they are asked for. */

/** The two sides and the control. */
export const pricesAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: ['http', 'https'] };

/** Requests per connection, of cells with new connections. */
const perConnection = [2, 5, 20];
const perResumed = [2, 5];

/** Sizes that the target can serve: the smallest first. Null is the page at `/`, whatever its size. */
export function sizesOf({ target, document }: Pick<PricesRequest, 'target' | 'document'>): (number | null)[] {
  return target.kind === 'managed' || document !== null ? priceSizes : [null];
}

/** Every cell of a list. New connections ask for the smallest body. */
export function cellsOf(
  request: Pick<PricesRequest, 'target' | 'document'>,
  { hasStream }: { hasStream: boolean },
): PriceCell[] {
  const all = sizesOf(request);
  const [smallest = null] = all;
  const kept = (arm: PriceArm, bytes: number | null) => cell(arm, bytes, null, false);
  const each = (arm: Arm) => [
    ...all.map((bytes) => kept(arm, bytes)),
    ...perConnection.map((requests) => cell(arm, smallest, requests, false)),
  ];
  return [
    ...each('baseline'),
    ...each('comparison'),
    ...perResumed.map((requests) => cell('comparison', smallest, requests, true)),
    kept('twin', smallest),
    ...(hasStream ? [kept('stream', smallest)] : []),
  ];
}

/** Cells from which connections over HTTPS are priced alone. */
export function handshakeCells(request: Pick<PricesRequest, 'target' | 'document'>): PriceCell[] {
  const [smallest = null] = sizesOf(request);
  return cellsOf(request, { hasStream: false }).filter(
    ({ arm, bytes }) => arm === 'comparison' && bytes === smallest,
  );
}

function cell(
  arm: PriceArm,
  bytes: number | null,
  requestsPerConnection: number | null,
  resumed: boolean,
): PriceCell {
  const way = requestsPerConnection === null ? 'kept' : `per ${requestsPerConnection}`;
  const id = `${arm} ${bytes ?? 'page'} ${way}${resumed ? ' resumed' : ''}`;
  return { id, arm, bytes, requestsPerConnection, resumed };
}

/** One request whose data rows are the sizes. A document of the target’s own is asked for in part, by `Range` (RFC 9110, section 14.2). */
export function priceScenario(request: Pick<PricesRequest, 'target' | 'document'>): Scenario {
  const all = sizesOf(request).filter((bytes) => bytes !== null);
  if (all.length === 0)
    return scenarioSchema.parse({ name: 'Page', steps: [{ name: 'page', method: 'GET', path: '/' }] });
  const { document } = request;
  const step =
    document === null
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the scenario
        { path: '/${size}.html' }
      : // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the scenario
        { path: document, headers: { range: 'bytes=0-${last}' }, expectStatus: 206 };
  return scenarioSchema.parse({
    name: 'Documents',
    steps: [{ name: 'document', method: 'GET', ...step }],
    data: { columns: ['size', 'last'], rows: all.map((size) => [String(size), String(size - 1)]) },
  });
}
