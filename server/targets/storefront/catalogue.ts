import { categories, headlines, manufacturers, opinions, remarks, reviewers, traits, uses } from './words.ts';

/** The goods of the shop, the same at every call and on every machine. */

export type Category = { id: number; name: string; summary: string; product_count: number };

export type Product = {
  id: number;
  category_id: number;
  model_number: string;
  model_name: string;
  manufacturer: string;
  description: string;
  price_cents: number;
  stock: number;
  sold: number;
  rating_tenths: number;
  review_count: number;
};

export type Review = {
  id: number;
  product_id: number;
  author: string;
  /** 1 to 5. */
  rating: number;
  headline: string;
  body: string;
  /** Such as `2003-04-17`. */
  written_on: string;
};

type Catalogue = { categories: Category[]; products: Product[]; reviews: Review[] };

const productsPerCategory = 200;
const reviewsPerProduct = 3;

export function makeCatalogue(): Catalogue {
  const draw = drawsFrom(2003);
  const products = categories.flatMap((_, index) =>
    Array.from({ length: productsPerCategory }, (_, place) =>
      makeProduct(index, index * productsPerCategory + place + 1, draw),
    ),
  );
  return {
    categories: categories.map(({ name, summary }, index) => ({
      id: index + 1,
      name,
      summary,
      product_count: productsPerCategory,
    })),
    products,
    reviews: products.flatMap(({ id }) =>
      Array.from({ length: reviewsPerProduct }, (_, place) =>
        makeReview((id - 1) * reviewsPerProduct + place + 1, id, draw),
      ),
    ),
  };
}

/** The next pseudorandom integer from 0 up to, and without, `bound`. */
type Draw = (bound: number) => number;

function makeProduct(categoryIndex: number, id: number, draw: Draw): Product {
  const { nouns, code } = categories[categoryIndex] ?? categories[0];
  const noun = pick(nouns, draw);
  const trait = pick(traits, draw);
  const manufacturer = pick(manufacturers, draw);
  const use = draw(uses.length);
  const otherUse = (use + 1 + draw(uses.length - 1)) % uses.length;
  const sentences = [
    `The ${manufacturer} ${trait.name} ${noun} ${trait.promise}.`,
    `Made for ${uses[use]} and ${uses[otherUse]}.`,
    `${pick(remarks, draw)}.`,
    `${pick(remarks, draw)}.`,
  ];
  return {
    id,
    category_id: categoryIndex + 1,
    model_number: `${code}${10_000 + id}`,
    model_name: `${trait.name} ${noun} ${pick(series, draw)}${1 + draw(9)}00`,
    manufacturer,
    description: sentences.join(' '),
    price_cents: 495 + draw(400) * 100,
    stock: draw(120),
    sold: draw(50_000),
    rating_tenths: 28 + draw(23),
    review_count: 3 + draw(240),
  };
}

function makeReview(id: number, productId: number, draw: Draw): Review {
  const day = new Date(Date.UTC(2003, 0, 1 + draw(365)));
  return {
    id,
    product_id: productId,
    author: pick(reviewers, draw),
    rating: 2 + draw(4),
    headline: pick(headlines, draw),
    body: `${pick(opinions, draw)} ${pick(opinions, draw)}`,
    written_on: day.toISOString().slice(0, 10),
  };
}

const series = ['A', 'C', 'G', 'K', 'M', 'R', 'S', 'X'];

function pick<T>(choices: readonly T[], draw: Draw): T {
  return choices[draw(choices.length)] as T;
}

/** Mulberry32: small, and good enough to name cameras with. */
function drawsFrom(seed: number): Draw {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound);
  };
}
