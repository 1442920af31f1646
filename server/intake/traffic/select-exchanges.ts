import type { LeftOut, PageGroup, TrafficChoices } from '../../../shared/scenario/import.ts';
import { type Exchange, type Site, siteSchema } from '../../../shared/scenario/recording.ts';
import { isStatic } from './resource-type.ts';

/** The exchanges that become steps, in pages, and how many did not and why. */
type Selection = {
  kept: Exchange[];
  pages: PageSpan[];
  leftOut: LeftOut[];
  host: string | null;
  site: Site | null;
};

/** A page without its name, and the step whose document has it. */
export type PageSpan = Omit<PageGroup, 'name'> & { document: number };

type Choices = Pick<TrafficChoices, 'staticFiles' | 'thirdParties'>;

/**
 * The first document's host is the one that a scenario is about; its other ports and the other scheme belong to it.
 * A page is a document and what follows it until the next one; a redirect begins the page that it leads to.
 */
export function selectExchanges(exchanges: readonly Exchange[], choices: Choices): Selection {
  const first = exchanges.find(({ resourceType }) => resourceType === 'document') ?? exchanges[0];
  const host = hostOf(first);
  const kept: Exchange[] = [];
  const pages: PageSpan[] = [];
  const statics = openCount('static_file');
  const thirdParties = openCount('third_party');
  let page: PageSpan | null = null;
  let redirected = false;
  for (const exchange of exchanges) {
    if (hostOf(exchange) !== host && !choices.thirdParties) {
      thirdParties.add(hostOf(exchange) ?? '');
      if (page !== null) page.thirdParties += 1;
      continue;
    }
    if (isStatic(exchange.resourceType) && !choices.staticFiles) {
      statics.add(exchange.resourceType);
      if (page !== null) page.staticFiles += 1;
      continue;
    }
    const isDocument = exchange.resourceType === 'document';
    if (page === null || (isDocument && !redirected)) {
      page = { firstStep: kept.length, document: kept.length, steps: 0, staticFiles: 0, thirdParties: 0 };
      pages.push(page);
    }
    if (isDocument && redirected) page.document = kept.length;
    page.steps += 1;
    kept.push(exchange);
    if (isDocument) redirected = exchange.status >= 300 && exchange.status < 400;
  }
  return { kept, pages, leftOut: [...statics.result(), ...thirdParties.result()], host, site: siteOf(first) };
}

function openCount(reason: LeftOut['reason']) {
  const what = new Set<string>();
  let count = 0;
  return {
    add(name: string) {
      count += 1;
      if (what.size < 20) what.add(name);
    },
    result: (): LeftOut[] => (count === 0 ? [] : [{ reason, count, what: [...what].sort() }]),
  };
}

function siteOf(exchange: Exchange | undefined): Site | null {
  return siteSchema.safeParse(exchange?.origin).data ?? null;
}

function hostOf(exchange: Exchange | undefined): string | null {
  return exchange === undefined ? null : (URL.parse(exchange.origin)?.hostname ?? null);
}

/** Its title, or its path. */
export function pageNameOf({ responseBody, path }: Exchange): string {
  const title = /<title\b[^<>]{0,200}>([^<]{1,300})/i.exec(responseBody ?? '')?.[1];
  const name = title?.replace(/\s+/g, ' ').trim();
  return (name ? name : (path.split('?', 1)[0] ?? '/')).slice(0, 60);
}
