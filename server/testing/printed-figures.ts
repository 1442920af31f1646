import type { Headline } from '../../shared/measurement/measurement.ts';
import { keyOfPart, noFigure, type Part, type Report, type TablePart } from '../../shared/report/report.ts';

/**
 * Finds printed numbers that disagree: one key with two numbers, a difference or a ratio that the shown sides do not give, and a number
 * with a unit that has no key. A page and a text are read alike, as pieces of text with their keys.
 */

/** A cell of a table, or a sentence. */
export type Piece = {
  text: string;
  /** Key of a figure; absent in a sentence, and where there is none. */
  q?: string | undefined;
  /** Key of the quantity that a sentence is about, without its part. */
  of?: string | undefined;
  /** Heads of the column of a figure and of its table, one of which may name the unit; absent in a sentence. */
  head?: string | undefined;
  /** Table or part of the page, for messages. Sides and their difference are compared within it. */
  place: string;
};

type Figure = {
  key: string;
  part: string;
  /** End of an interval, or the place among several figures of a cell. */
  statistic: string;
  dimension: string;
  /** In the smallest unit of its dimension. */
  value: number;
  /** Its last digit, halved. */
  half: number;
  piece: Piece;
};

/** Dimension and size of each unit. A ratio is read as its change in percent. */
const units: Record<string, readonly [dimension: string, size: number]> = {
  ...{ ns: ['time', 1e-3], µs: ['time', 1], ms: ['time', 1e3], s: ['time', 1e6], min: ['time', 6e7] },
  ...{ B: ['bytes', 1], kB: ['bytes', 1e3], MB: ['bytes', 1e6], GB: ['bytes', 1e9] },
  ...{ 'B/s': ['speed', 1], 'kB/s': ['speed', 1e3], 'MB/s': ['speed', 1e6], 'GB/s': ['speed', 1e9] },
  ...{ '/s': ['rate', 1], 'transactions/s': ['rate', 1], 'requests/s': ['rate', 1] },
  ...{ '%': ['percent', 1], points: ['points', 1], '×': ['percent', 100], $: ['money', 1] },
  ...{
    cores: ['cores', 1],
    core: ['cores', 1],
    transactions: ['transactions', 1],
    requests: ['requests', 1],
  },
};

const number = '[+−-]?[×$]?[+−-]?\\d[\\d,]*(?:\\.\\d+)?';
const unit = '(?:[mµn]s|s|min|[kMG]?B(?:/s)?|(?:transactions|requests)?/s|%|points|cores?)(?![\\p{L}\\d/])';
const token = new RegExp(`(?<![\\p{L}\\d.,:/-])(${number})(?:[ \\u00a0]?(${unit}))?`, 'gu');

type Token = { raw: string; unit: string | null; index: number; end: number };

function tokensIn(text: string): Token[] {
  return [...text.matchAll(token)].map((match) => {
    const [whole, raw = '', named] = match;
    const sign = raw.includes('×') ? '×' : raw.includes('$') ? '$' : null;
    return { raw, unit: named ?? sign, index: match.index, end: match.index + whole.length };
  });
}

function measured(raw: string, symbol: string | null): Pick<Figure, 'value' | 'half' | 'dimension'> {
  const [dimension, size] = units[symbol ?? ''] ?? ['number', 1];
  const digits = raw.replace(/[^\d.]/g, '');
  const [, fraction = ''] = digits.split('.');
  const amount = (/[−-]/.test(raw) ? -1 : 1) * Number(digits);
  const step = size / 10 ** fraction.length;
  // Three digits are printed of 1,000 % and more.
  const coarse =
    dimension === 'percent' && Math.abs(amount) >= 1000
      ? 10 ** (Math.floor(Math.log10(Math.abs(amount))) - 2)
      : step;
  return {
    value: symbol === '×' ? 100 * (amount - 1) : amount * size,
    half: coarse / 2,
    dimension,
  };
}

/** Unit that the head of a column names: `CPU, µs`, `TransferRate, bytes/ms`. */
function unitOfHead(head: string): string | null {
  const named = head.match(new RegExp(`(?<!\\d)(?:^|[\\s,(])(${unit})`, 'u'));
  return named?.[1] ?? null;
}

/** `12.3 µs (11.9 to 12.8)`, `+75 % 72 to 78`, `17.2 to 18.8 µs`, `24.0 / 31.2 ms`, `2 ms and 3 ms`. */
function figuresOfCell(piece: Piece & { q: string }): Figure[] {
  const { text, q, head = '' } = piece;
  const place = q.lastIndexOf('/');
  const [key, part] = [q.slice(0, place), q.slice(place + 1)];
  const all = tokensIn(text);
  const isFigure = /^[≥~\s]*[+−×$\d-]/.test(text);
  const tokens = isFigure ? all : all.filter((each) => each.unit !== null);
  const symbol = tokens.find((each) => each.unit !== null)?.unit ?? unitOfHead(head);
  const isInterval = / to /.test(text) && (tokens.length === 2 || tokens.length === 3);
  const names = isInterval ? ['center', 'lo', 'hi'].slice(-tokens.length) : ['center', 'p90'];
  const isPair = isInterval || tokens.length === 1 || (tokens.length === 2 && text.includes(' / '));
  return tokens.flatMap((each, index) => {
    // Above a bound that an interval is cut at, nothing is known.
    if (text.slice(0, each.index).endsWith('over ')) return [];
    const statistic = isPair ? (names[index] ?? String(index)) : String(index);
    return { key, part, statistic, piece, ...measured(each.raw, each.unit ?? symbol) };
  });
}

/** A difference may stand where a change is written: the unit tells which it is. */
function partOf({ part, dimension }: Figure): string {
  return part === 'change' || part === 'difference' ? `shift, ${dimension}` : `${part}, ${dimension}`;
}

function near(a: Figure, b: Figure, by = Math.abs): boolean {
  // Two roundings to the same digit are equal, and a finer one rounds to a coarser one.
  const most = a.half === b.half ? a.half : a.half + b.half;
  return a.dimension === b.dimension && Math.abs(by(a.value) - by(b.value)) <= most * 1.001;
}

const exactly = (value: number) => value;

const prefixes: readonly (readonly [before: RegExp, part: string])[] = [
  [/(?:control|twin)[^;,.]*? $/i, 'control'],
  [/with nothing (?:set aside|discarded):? $/i, 'nothing-aside'],
  [/from this run alone $/i, 'alone'],
];

function partBy(symbol: string): string {
  return units[symbol]?.[0] === 'percent' ? 'change' : 'difference';
}

/**
 * Figures that a sentence names by its grammar: `+18.0 µs (17.2 to 18.8)`, `between −0.05 and +0.40 ms`, `+75 % (24.0 → 42.1 µs)`,
 * `18.1 µs more`. A headline may be about another quantity after each semicolon.
 */
function figuresOfSentence(piece: Piece & { of: string }): Figure[] {
  const { text, of } = piece;
  const tokens = tokensIn(text);
  const between = (index: number) => text.slice(tokens[index]?.end, tokens[index + 1]?.index);
  return tokens.flatMap((each, index) => {
    const [next, before] = [tokens[index + 1], text.slice(0, each.index)];
    const arrows = before.split(' → ').length - 1;
    const place = next !== undefined && between(index - 1) === ' → ' ? arrows - 1 : arrows;
    const key = place > 0 && of.endsWith('/headline') ? `${of} ${place}` : of;
    const named = prefixes.find(([pattern]) => pattern.test(before))?.[1];
    const figure = (raw: string, symbol: string | null, part: string, statistic: string): Figure => ({
      ...{ key, part, statistic, piece },
      ...measured(raw, symbol),
    });
    if (next !== undefined && between(index) === ' → ') {
      const share = tokens.slice(0, index).findLast((other) => other.unit === '%');
      const isNear = share !== undefined && !/→|;/.test(text.slice(share.end, each.index));
      return [
        figure(each.raw, next.unit, 'first', 'center'),
        figure(next.raw, next.unit, 'second', 'center'),
        ...(isNear ? [figure(share.raw, '%', 'change', 'center')] : []),
      ];
    }
    if (
      next !== undefined &&
      /^ (?:to|and) $/.test(between(index)) &&
      (each.unit ?? next.unit) === next.unit
    ) {
      const symbol = next.unit ?? (before.endsWith('(') ? (tokens[index - 1]?.unit ?? null) : null);
      if (symbol === null) return [];
      const part = named ?? partBy(symbol);
      return [figure(each.raw, symbol, part, 'lo'), figure(next.raw, symbol, part, 'hi')];
    }
    if (each.unit === null) return [];
    if (between(index) === ' (' && / to /.test(between(index + 1)))
      return [figure(each.raw, each.unit, named ?? partBy(each.unit), 'center')];
    const isSize = /^ (?:more|less|longer|sooner)/.test(text.slice(each.end)) && each.unit !== '%';
    return isSize ? [figure(each.raw, each.unit, 'difference', 'size')] : [];
  });
}

/** Numbers with a unit that are no figures: confidence, tolerance, names of things, set-up. */
const settings = [
  /\d+(?:\.\d+)? % (?:CI|of (?:single )?runs)/g,
  /[\d.]+ ms round trip|(?:per|Each) 16 kB|misses one of them by \d+ %|at \d+ % of full load|at \d+ kB|(?:above|below) [\d.]+ %/g,
  /sent [\d.]+ m?s late or more \([\d.]+ m?s is allowed\)/g,
  // An amount for a request that follows from another, and a share of a count.
  /[+−][\d.,]+ [µm]s (?:per request|at \d+)|[\d.]+ % (?:saved|of the requests)/g,
  /(?:at|gets) [\d,]+ transactions\/s/gi,
  /(?:for|longer than|bursts of) [\d,]+ ms/g,
  /±[\d.,]+ %/g,
  /(?:\d+ h )?(?:\d+ min )?(?<= )\d+ (?:s|min)(?=[,;:. ]|$)/g,
];

type Found = { disagreements: string[]; keys: number; claims: number; sentences: number };

/** @param except numbers of this place that are settings */
export function readPieces(pieces: readonly Piece[], except: readonly RegExp[] = []): Found {
  const cells = pieces.filter((piece): piece is Piece & { q: string } => piece.q !== undefined);
  const figures = cells.flatMap(figuresOfCell);
  const sentences = pieces
    .filter(({ q }) => q === undefined)
    .map((piece) => ({ ...piece, text: withoutSettings(piece.text, except) }));
  const said = sentences.flatMap((piece) =>
    piece.of === undefined ? [] : figuresOfSentence({ ...piece, of: piece.of }),
  );
  const all = [...figures, ...said];
  const claims = claimsIn(all);
  return {
    disagreements: [
      ...twice(all),
      ...claims.flatMap(({ wrong }) => wrong ?? []),
      ...sentences.flatMap((piece) => unknownIn(piece, all)),
    ],
    keys: new Set(all.map(({ key, part }) => `${key}/${part}`)).size,
    claims: claims.length,
    sentences: sentences.length,
  };
}

function withoutSettings(text: string, except: readonly RegExp[]): string {
  return [...settings, ...except].reduce((rest, pattern) => rest.replace(pattern, '…'), text);
}

/** One key with two numbers. */
function twice(figures: readonly Figure[]): string[] {
  const byKey = Map.groupBy(figures, (each) => `${each.key}, ${partOf(each)}, ${each.statistic}`);
  return [...byKey].flatMap(([key, [first, ...others]]) =>
    first === undefined
      ? []
      : others
          .filter((other) => !near(first, other, exactly))
          .map((other) => `Two numbers of ${key}: ${told(first.piece)}, ${told(other.piece)}`),
  );
}

type Claim = { wrong: string | null };

/** Differences and changes beside both sides: in one table, or in the sentences about one quantity. */
function claimsIn(figures: readonly Figure[]): Claim[] {
  const shown = figures.filter(({ statistic }) => statistic === 'center' || statistic === 'size');
  const byPlace = Map.groupBy(shown, ({ piece }) => (piece.q === undefined ? 'sentences' : piece.place));
  return [...byPlace.values()].flatMap((ofPlace) =>
    [...Map.groupBy(ofPlace, ({ key }) => key).values()].flatMap((group) => {
      const first = group.find(({ part }) => part === 'first') ?? referenceOf(group, ofPlace);
      const second = group.find(({ part }) => part === 'second');
      if (first === undefined || second === undefined) return [];
      const claims = group.filter(({ part }) => part === 'difference' || part === 'change');
      // A title with other amounts has the difference of its sides beside them, or sides of several quantities.
      const isSaid =
        claims.some(({ part, statistic }) => part === 'difference' && statistic === 'center') ||
        ofPlace.some(({ key }) => key.startsWith(`${first.key} `));
      return claims
        .filter(({ statistic }) => statistic === 'center' || !isSaid)
        .map((claim) => judge(first, second, claim));
    }),
  );
}

/** First side of a row that has none of its own: that of the row alike but for its arm, else the row that is compared with none. */
function referenceOf([one]: readonly Figure[], ofPlace: readonly Figure[]): Figure | undefined {
  const steps = one?.key.split('/') ?? [];
  const apart = ({ key }: Figure) => {
    const own = key.split('/');
    return own.length === steps.length ? own.filter((step, index) => step !== steps[index]).length : null;
  };
  const beside = ofPlace.find((each) => each.part === 'first' && apart(each) === 1);
  const isShift = ({ part }: Figure) => part === 'change' || part === 'difference';
  const compared = new Set(ofPlace.filter(isShift).map(({ key }) => key));
  const alone = ofPlace.filter(({ key, part }) => part === 'second' && !compared.has(key));
  return beside ?? alone.find((each) => apart(each) === 1) ?? alone[0];
}

function judge(first: Figure, second: Figure, claim: Figure): Claim {
  const isChange = claim.part === 'change' && claim.dimension === 'percent';
  const follows = isChange ? 100 * (second.value / first.value - 1) : second.value - first.value;
  const apart = claim.statistic === 'size' ? Math.abs(follows) - claim.value : follows - claim.value;
  const isRight = Math.abs(apart) <= claim.half * 1.001 + 1e-9;
  const sum = [first, second, claim].map(({ piece }) => told(piece)).join(', ');
  return { wrong: isRight ? null : `The sides give ${Number(follows.toPrecision(6))}: ${sum}` };
}

/** Numbers with a unit that no key has: in a sentence about a quantity, no key of that quantity. */
function unknownIn(piece: Piece, figures: readonly Figure[]): string[] {
  // The sides of a headline without a row of its own stand in the rows of others.
  const isOwn =
    piece.of !== undefined && figures.some(({ key, piece: { q } }) => key === piece.of && q !== undefined);
  // A cell with a figure has a key of its own.
  const others = piece.head === undefined ? figures : [];
  const known = others.filter(({ key, part }) =>
    isOwn ? key === piece.of : !isOf(key, piece) || (part !== 'first' && part !== 'second'),
  );
  const differences = claimedBy(
    figures.filter(({ key, piece: { of } }) =>
      piece.of === undefined ? of !== undefined : isOf(key, piece),
    ),
  );
  return tokensIn(piece.text)
    .map(({ raw, unit: symbol }) => ({ raw, symbol: symbol ?? headUnit(piece) }))
    .filter(({ symbol }) => symbol !== null)
    .flatMap(({ raw, symbol }) => {
      const shown = { ...measured(raw, symbol) } as Figure;
      const fits = (each: Figure) => each.statistic !== 'size' && near(each, shown);
      if (known.some(fits) || differences.some(fits)) return [];
      return [`No key: ${raw} ${symbol} in ${told(piece)}`];
    });
}

function isOf(key: string, { of }: Piece): boolean {
  return of !== undefined && (key === of || key.startsWith(`${of} `));
}

function headUnit({ head, text }: Piece): string | null {
  return head === undefined || !/^[+−×\d]/.test(text) ? null : unitOfHead(head);
}

/** A title says the difference and the change of the sides that stand below it. */
function claimedBy(figures: readonly Figure[]): Figure[] {
  const centers = figures.filter(({ statistic }) => statistic === 'center');
  return centers.flatMap((second) => {
    const first = centers.find(({ key, part }) => key === second.key && part === 'first');
    if (second.part !== 'second' || first === undefined) return [];
    const exact = { ...second, half: 0 };
    return [
      { ...exact, value: second.value - first.value },
      { ...exact, dimension: 'percent', value: 100 * (second.value / first.value - 1) },
    ];
  });
}

function told({ text, place }: Piece): string {
  return `“${text.replace(/\s+/g, ' ').slice(0, 120)}” (${place})`;
}

/** Keys of what the sentences of a result are about. */
type About = {
  headline: Headline | null;
  /** Key of the figures of the headline. */
  of: string;
  /** Key of the figures of a run alone, in the line that begins so. */
  run?: string | undefined;
};

/** Lines of a text, without its marks. */
export function piecesOfLines(lines: readonly string[], place: string, about: About): Piece[] {
  const { headline, of, run } = about;
  const ofHeadline = [headline?.title, headline?.second, headline?.third];
  return lines.flatMap((line): Piece[] => {
    const text = line.replace(/^[*#> ]+|\*$/g, '');
    if (ofHeadline.includes(text)) return [{ text, place, of }];
    if (!text.startsWith('This run: ')) return [{ text, place }];
    const [own = '', ...beside] = text.split('; ');
    return [{ text: own, place, of: run }, ...beside.map((clause) => ({ text: clause, place }))];
  });
}

/** Sections about the machine, about single blocks, and about why a figure is as it is, whose numbers are no result. */
const asides = /^(?:Where|Links|Why |Blocks left out|Parts discarded|Doubts|Browser cache)/;

/** Pieces of a report, as every text prints them, but for asides and the names of rows. */
export function piecesOf({ title, lead, sections }: Report, about: About): Piece[] {
  return [
    ...piecesOfLines([title], 'title', about),
    ...piecesOfParts(lead, 'lead', about),
    ...sections
      .filter(({ heading }) => heading === null || !asides.test(heading))
      .flatMap(({ heading, lead: below = '', parts }) => [
        ...piecesOfLines([below], heading ?? '', about),
        ...piecesOfParts(parts, heading ?? 'first table', about),
      ]),
  ];
}

function piecesOfParts(parts: readonly Part[], place: string, about: About): Piece[] {
  return parts.flatMap((part) => piecesOfPart(part, place, about));
}

function piecesOfPart(part: Part, place: string, about: About): Piece[] {
  switch (part.type) {
    case 'text':
      return piecesOfLines(part.sentences, place, about);
    case 'list':
      return piecesOfLines(part.lines, place, about);
    case 'facts':
      return part.facts.map(([name, value]) => ({ text: `${name}: ${value}`, place }));
    case 'command':
      return [];
    case 'table':
      return piecesOfTable(part, place);
  }
}

function piecesOfTable({ caption, columns, rows, of }: TablePart, place: string): Piece[] {
  const about = [columns[0]?.title, caption, place].join(', ');
  return rows.flatMap((cells, row) =>
    columns.slice(1).map(({ title, holds, part }, column): Piece => {
      const same = columns.find((each) => part !== undefined && each.part === part)?.title;
      const heads = part === undefined ? [title] : [title, same, about];
      return {
        text: cells[column + 1] ?? noFigure,
        q: keyOfPart(of?.[row], part),
        head: holds === 'figure' ? heads.join(', ') : undefined,
        place,
      };
    }),
  );
}
