/** Everything allowed in SQL for PostgreSQL. Nothing here reads a table, a file, or a setting, writes, or waits. */

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Content of a field of the parser's tree: a plain value, nodes of any known kind, or one node of the named kind. */
type TreeField = { kind: 'plain' } | { kind: 'nodes' } | { kind: 'node'; of: string };

/**
 * The kinds of nodes of the parser's tree and their fields, by the names of PostgreSQL's source: `a` is a plain value, `a*` contains
 * nodes, `a:B` is a node of the kind B. Not listed, and therefore refused, are `intoClause`, `lockingClause`, schemas of a table,
 * samples, `ROWS FROM`, names of a join, VARIADIC, named arguments, parameters, subscripts, fields of a value, COLLATE, XML and JSON.
 */
export const postgresTree: ReadonlyMap<string, ReadonlyMap<string, TreeField>> = new Map(
  `
  SelectStmt withClause:WithClause larg:SelectStmt rarg:SelectStmt fromClause* distinctClause* targetList* whereClause*
    groupClause* havingClause* windowClause* valuesLists* sortClause* limitOffset* limitCount* limitOption groupDistinct op all
  WithClause ctes* recursive location
  CommonTableExpr ctename aliascolnames* ctematerialized ctequery* location
  RangeVar relname inh relpersistence alias:Alias location
  RangeSubselect lateral subquery* alias:Alias
  RangeFunction lateral ordinality functions* alias:Alias
  Alias aliasname colnames*
  JoinExpr jointype isNatural larg* rarg* usingClause* quals*
  ResTarget name val* location
  ColumnRef fields* location
  A_Star
  A_Const isnull ival:Integer fval:Float boolval:Boolean sval:String bsval:BitString location
  A_Expr kind name* lexpr* rexpr* rexpr_list_start rexpr_list_end location
  A_ArrayExpr elements* list_start list_end location
  BoolExpr boolop args* location
  NullTest arg* nulltesttype location
  BooleanTest arg* booltesttype location
  CaseExpr arg* args* defresult* location
  CaseWhen expr* result* location
  CoalesceExpr args* location
  MinMaxExpr op args* location
  RowExpr args* row_format location
  FuncCall funcname* args* agg_order* agg_filter* over:WindowDef agg_within_group agg_star agg_distinct funcformat location
  WindowDef name refname partitionClause* orderClause* frameOptions startOffset* endOffset* location
  SortBy node* sortby_dir sortby_nulls location
  GroupingSet kind content* location
  GroupingFunc args* location
  SQLValueFunction op typmod location
  SubLink subLinkType testexpr* operName* subselect* location
  TypeCast arg* typeName:TypeName location
  TypeName names* typmods* typemod arrayBounds* location
  List items*
  String sval
  Integer ival
  Float fval
  Boolean boolval
  BitString bsval
  `
    .trim()
    .split(/\n {2}(?! )/)
    .map((line) => {
      const [kind = '', ...fields] = line.split(/\s+/);
      return [kind, new Map(fields.map(fieldOf))];
    }),
);

function fieldOf(text: string): [string, TreeField] {
  if (text.endsWith('*')) return [text.slice(0, -1), { kind: 'nodes' }];
  const [name = '', of] = text.split(':');
  return [name, of === undefined ? { kind: 'plain' } : { kind: 'node', of }];
}

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

export const postgresOperators = wordsOf(`
  + - * / % ^ |/ ||/ @ & | # << >> || < > = <= >= <> ~ ~* !~ !~* ~~ ~~* !~~ !~~*
`);

/** Words that compute without parentheses. The others say who the database and its user are. */
export const postgresValues = wordsOf('current_date current_time current_timestamp localtime localtimestamp');

export const postgresTypes = wordsOf(`
  int2 int4 int8 smallint int integer bigint float4 float8 real numeric decimal bool boolean text varchar bpchar char
  date time timetz timestamp timestamptz interval
`);
