import {
  categories,
  headlines,
  manufacturers,
  opinions,
  remarks,
  reviewers,
  traits,
  uses,
} from './catalogue-words.ts';

/**
 * The procedures of the shop, the SQL of both databases side by side. SQLite runs a prepared statement of each;
 * PostgreSQL runs a stored function of the same name. All of them only read, so that every process answers alike
 * however long another one has been under load, and the data never grows.
 *
 * SQLite's limits are written `+:limit`: for a bare parameter there it plans the statement anew at every call.
 */
export const procedures = {
  /** The departments, for the menu of every page. */
  ProductCategoryList: {
    parameters: [],
    sqlite: `
      SELECT id, name, summary, product_count
      FROM category
      ORDER BY name`,
    postgres: `
      CREATE FUNCTION ProductCategoryList()
      RETURNS TABLE (id int, name text, summary text, product_count int)
      LANGUAGE sql STABLE AS $$
        SELECT id, name, summary, product_count
        FROM category
        ORDER BY name
      $$`,
  },

  /** The products sold most. */
  ProductsMostPopular: {
    parameters: ['limit'],
    sqlite: `
      SELECT id, category_id, model_number, model_name, manufacturer, description,
             price_cents, stock, sold, rating_tenths, review_count
      FROM product
      ORDER BY sold DESC, id
      LIMIT +:limit`,
    postgres: `
      CREATE FUNCTION ProductsMostPopular("limit" int)
      RETURNS SETOF product
      LANGUAGE sql STABLE AS $$
        SELECT id, category_id, model_number, model_name, manufacturer, description,
               price_cents, stock, sold, rating_tenths, review_count
        FROM product
        ORDER BY sold DESC, id
        LIMIT $1
      $$`,
  },

  /** The last reviews written, with the product each is about. */
  ReviewsLatest: {
    parameters: ['limit'],
    sqlite: `
      SELECT review.id, product_id, model_name, category_id, author, rating, headline, body, written_on
      FROM review JOIN product ON product.id = product_id
      ORDER BY written_on DESC, review.id
      LIMIT +:limit`,
    postgres: `
      CREATE FUNCTION ReviewsLatest("limit" int)
      RETURNS TABLE (id int, product_id int, model_name text, category_id int,
                     author text, rating int, headline text, body text, written_on text)
      LANGUAGE sql STABLE AS $$
        SELECT review.id, product_id, model_name, category_id, author, rating, headline, body, written_on
        FROM review JOIN product ON product.id = product_id
        ORDER BY written_on DESC, review.id
        LIMIT $1
      $$`,
  },

  /** The products that hold every word of an expression, in one category or (0) in all, and how many there are. */
  ProductSearch: {
    parameters: ['expression', 'category', 'limit'],
    sqlite: `
      SELECT id, category_id, product.model_number, product.model_name, product.manufacturer,
             product.description, price_cents, stock, sold, rating_tenths, review_count,
             count(*) OVER () AS hits
      FROM product_text JOIN product ON product.id = product_text.rowid
      WHERE product_text MATCH :expression AND (:category = 0 OR category_id = :category)
      ORDER BY sold DESC, id
      LIMIT +:limit`,
    postgres: `
      CREATE FUNCTION ProductSearch(expression text, category int, "limit" int)
      RETURNS TABLE (id int, category_id int, model_number text, model_name text, manufacturer text,
                     description text, price_cents int, stock int, sold int, rating_tenths int,
                     review_count int, hits int)
      LANGUAGE sql STABLE AS $$
        SELECT id, category_id, model_number, model_name, manufacturer,
               description, price_cents, stock, sold, rating_tenths, review_count,
               (count(*) OVER ())::int AS hits
        FROM product
        WHERE product_text(product) @@ to_tsquery('simple', $1) AND ($2 = 0 OR category_id = $2)
        ORDER BY sold DESC, id
        LIMIT $3
      $$`,
  },
} as const;

/** The tables of the shop, the SQL of both databases side by side. */

/** Raise it with every change of the tables, the procedures or the rows: databases of another version are made anew. */
export const seedVersion = 2;

const category = `
  CREATE TABLE category (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    summary text NOT NULL,
    product_count integer NOT NULL
  )`;

const product = `
  CREATE TABLE product (
    id integer PRIMARY KEY,
    category_id integer NOT NULL REFERENCES category (id),
    model_number text NOT NULL UNIQUE,
    model_name text NOT NULL,
    manufacturer text NOT NULL,
    description text NOT NULL,
    price_cents integer NOT NULL,
    stock integer NOT NULL,
    sold integer NOT NULL,
    rating_tenths integer NOT NULL,
    review_count integer NOT NULL
  )`;

const review = `
  CREATE TABLE review (
    id integer PRIMARY KEY,
    product_id integer NOT NULL REFERENCES product (id),
    author text NOT NULL,
    rating integer NOT NULL,
    headline text NOT NULL,
    body text NOT NULL,
    written_on text NOT NULL
  )`;

const productsBySale = 'CREATE INDEX product_by_sale ON product (sold DESC, id)';
const reviewsByDay = 'CREATE INDEX review_by_day ON review (written_on DESC, id)';

/** Statements before the rows go in. */
export const tables = {
  sqlite: [
    category,
    product,
    review,
    `CREATE VIRTUAL TABLE product_text USING fts5 (
       model_number, model_name, manufacturer, description,
       content = 'product', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0', prefix = '3'
     )`,
  ],
  postgres: [
    category,
    product,
    review,
    `CREATE FUNCTION product_text(p product) RETURNS tsvector
     LANGUAGE sql IMMUTABLE AS $$
       SELECT to_tsvector('simple',
         p.model_number || ' ' || p.model_name || ' ' || p.manufacturer || ' ' || p.description)
     $$`,
  ],
} as const;

/** Statements after the rows are in. */
export const indexes = {
  sqlite: [
    productsBySale,
    reviewsByDay,
    `INSERT INTO product_text (product_text) VALUES ('rebuild')`,
    `INSERT INTO product_text (product_text) VALUES ('optimize')`,
    'ANALYZE',
  ],
  postgres: [
    productsBySale,
    reviewsByDay,
    'CREATE INDEX product_by_text ON product USING gin (product_text(product))',
    'ANALYZE category, product, review',
  ],
} as const;

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

/** The words that were searched for: lower case, letters and digits only. */
export type SearchTerms = { words: string[] };

const mostWords = 8;

/** Words of a query; everything that is no letter and no digit parts them. At most eight count. */
export function parseSearchTerms(query: string): SearchTerms {
  const words =
    query
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return { words: words.slice(0, mostWords) };
}

/** Every word, or a longer one that begins with it. */
export function printSqliteExpression({ words }: SearchTerms): string {
  return words.map((word) => `"${word}"*`).join(' AND ');
}

export function printPostgresExpression({ words }: SearchTerms): string {
  return words.map((word) => `'${word}':*`).join(' & ');
}
