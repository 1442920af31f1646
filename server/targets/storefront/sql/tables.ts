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
