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
