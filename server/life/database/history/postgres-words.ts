/** What may stand in SQL for PostgreSQL. Nothing here reads a table, a file or a setting, writes, or waits. */

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Of the parser's tree. Names as PostgreSQL's source has them. */
export const postgresNodes = wordsOf(`
  SelectStmt ResTarget ColumnRef A_Star A_Const A_Expr BoolExpr NullTest BooleanTest FuncCall TypeCast RangeVar JoinExpr
  RangeSubselect RangeFunction CommonTableExpr SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr List RowExpr SortBy
  WindowDef GroupingSet GroupingFunc A_ArrayExpr SQLValueFunction String Integer Float Boolean
`);

export const postgresFunctions = wordsOf(`
  count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_slope
  regr_intercept regr_r2 regr_count percentile_cont percentile_disc mode bool_and bool_or every string_agg
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  abs ceil ceiling floor round trunc sign mod power sqrt cbrt exp ln log log10 width_bucket greatest least
  lower upper initcap length char_length character_length substr substring btrim ltrim rtrim trim replace concat
  concat_ws left right split_part strpos position starts_with reverse to_char to_number
  now date_trunc date_part extract age to_timestamp to_date date_bin make_date timezone
  generate_series like_escape similar_to_escape
`);

/** Words that compute without parentheses. The others say who the database and its user are. */
export const postgresValues = wordsOf('current_date current_time current_timestamp localtime localtimestamp');

export const postgresTypes = wordsOf(`
  int2 int4 int8 smallint int integer bigint float4 float8 real numeric decimal bool boolean text varchar bpchar char
  date time timetz timestamp timestamptz interval
`);
