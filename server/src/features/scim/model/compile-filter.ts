import { type SQL, sql } from 'drizzle-orm'
import { type Comparison, type Filter, type ListQuery, leafOf, type Target } from '../../../protocols/scim/index.js'

/** Maps the attributes of a resource type to SQL. A filter can only contain attributes of the schema, and its values are parameters. */
export interface Columns {
  /**
   * An expression for a simple attribute outside of lists, with the type of its schema (text, boolean, timestamptz); NULL without a
   * value.
   */
  simple(target: Target): SQL
  /** A SELECT of the values of a multi-valued attribute, as one jsonb column. */
  values(target: Target): SQL
  /** The paths of attributes that are unique within a team and found by `byIndex`. */
  unique: ReadonlySet<string>
  /** A condition for the comparison that an index supports, if there is one. */
  byIndex(comparison: Comparison): SQL | undefined
  /** A necessary condition for the comparison that an index supports, if there is one. */
  among?(comparison: Comparison): SQL | undefined
}

/** Compiles a filter to a SQL condition. It may be NULL instead of false; a negation converts its operand to true or false. */
export function compileFilter(filter: Filter, columns: Columns): SQL {
  if ('target' in filter && filter.target.isAbsent) return sql`false`
  switch (filter.op) {
    case 'and':
    case 'or':
      return junction(
        filter.op,
        filter.filters.map((one) => compileFilter(one, columns)),
      )
    case 'not':
      return sql`(${compileFilter(filter.filter, columns)}) IS NOT TRUE`
    case '[]':
      return narrowed(
        filter.filter,
        columns,
        sql`EXISTS (SELECT 1 FROM (${columns.values(filter.target)}) AS v (e) WHERE ${compileFilter(filter.filter, within)})`,
      )
    case 'pr':
      return presence(filter.target, columns)
    default:
      return columns.byIndex(filter) ?? narrowed(filter, columns, comparison(filter, columns))
  }
}

/** Returns the filters that must all match. */
export const partsOf = (filter: Filter): readonly Filter[] => (filter.op === 'and' ? filter.filters : [filter])

/** Adds conditions that every match meets and an index supports, if there are any. */
function narrowed(filter: Filter, columns: Columns, condition: SQL): SQL {
  const narrowing = partsOf(filter).flatMap((part) => ('value' in part && columns.among?.(part)) || [])
  return narrowing.length > 0 ? junction('and', [...narrowing, condition]) : condition
}

export const junction = (op: 'and' | 'or', conditions: SQL[]): SQL =>
  sql`(${sql.join(conditions, op === 'and' ? sql` AND ` : sql` OR `)})`

/** The sub-attributes of one value of a list. */
const within: Columns = {
  simple: (target) => part(sql`v.e`, target),
  values: () => sql`SELECT NULL::jsonb WHERE false`,
  unique: new Set(),
  byIndex: () => undefined,
}

/** Returns a sub-attribute of a JSON value, or the value itself if the target names none. */
function part(value: SQL, { sub }: Target): SQL {
  if (!sub) return sql`(${value} #>> '{}')`
  const text = sql`(${value} ->> ${sub.name}::text)`
  return sub.type === 'boolean' ? sql`${text}::boolean` : text
}

function presence(target: Target, columns: Columns): SQL {
  if (target.attribute.multiValued && columns !== within) {
    const values = sql`SELECT 1 FROM (${columns.values(target)}) AS v (e)`
    return target.sub ? sql`EXISTS (${values} WHERE ${part(sql`v.e`, target)} IS NOT NULL)` : sql`EXISTS (${values})`
  }
  const parts = leafOf(target).subAttributes
  if (!parts) return sql`(${columns.simple(target)}) IS NOT NULL`
  return junction(
    'or',
    parts.map((sub) => sql`(${columns.simple({ ...target, path: `${target.path}.${sub.name}`, sub })}) IS NOT NULL`),
  )
}

function comparison(requested: Comparison, columns: Columns): SQL {
  const { target } = requested
  if (!target.attribute.multiValued || columns === within) return compare(columns.simple(target), requested)
  return sql`EXISTS (SELECT 1 FROM (${columns.values(target)}) AS v (e) WHERE ${compare(part(sql`v.e`, target), requested)})`
}

function compare(left: SQL, { op, target, value }: Comparison): SQL {
  if (typeof value === 'boolean') return sql`${left} = ${value}`
  if (value instanceof Date) return sql`${left} ${OPERATORS[op]} ${value.toISOString()}::timestamptz`
  const { caseExact } = leafOf(target)
  const folded = caseExact ? left : sql`lower(${left})`
  const right = caseExact ? sql`${value}::text` : lowerCase(value)
  if (op === 'co') return sql`strpos(${folded}, ${right}) > 0`
  if (op === 'sw') return sql`starts_with(${folded}, ${right})`
  if (op === 'ew') return sql`right(${folded}, char_length(${right})) = ${right}`
  return sql`${folded} COLLATE "C" ${OPERATORS[op]} ${right}`
}

const OPERATORS: Record<string, SQL> = {
  eq: sql`=`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

/** Compiles the beginning of ORDER BY, with a comma; empty if no order is requested. */
export function compileOrder({ sortBy, descending }: Pick<ListQuery, 'sortBy' | 'descending'>, columns: Columns): SQL {
  return sortBy ? sql`${sortKey(sortBy, columns)} ${descending ? sql`DESC` : sql`ASC`}, ` : sql``
}

/**
 * Compiles the sort key: for several values the primary one, else the first.
 * @param caseExact whether strings are compared case-sensitively
 */
export function sortKey(target: Target, columns: Columns, caseExact = leafOf(target).caseExact): SQL {
  const leaf = leafOf(target)
  if (target.isAbsent) return ABSENT_KEYS[leaf.type] ?? sql`NULL::text COLLATE "C"`
  const value = target.attribute.multiValued
    ? sql`(SELECT ${part(sql`v.e`, target)} FROM (SELECT e, row_number() OVER () AS place FROM (${columns.values(target)}) AS w (e)) AS v
        ORDER BY (v.e ->> 'primary') = 'true' DESC NULLS LAST, v.place LIMIT 1)`
    : columns.simple(target)
  if (leaf.type === 'boolean' || leaf.type === 'dateTime') return value
  return caseExact ? sql`${value} COLLATE "C"` : sql`lower(${value}) COLLATE "C"`
}

/** The sort keys of absent attributes that are not strings. */
const ABSENT_KEYS: Record<string, SQL> = { boolean: sql`NULL::boolean`, dateTime: sql`NULL::timestamptz` }

/**
 * Lower-cases a string in the database, like the column that it is compared with. JavaScript differs for some characters (final Σ, İ), so
 * a string would not match itself.
 */
export const lowerCase = (text: string): SQL => sql`lower(${text}::text)`

/** Returns the LIKE pattern for a prefix; with the collation "C" it can use an index. */
export const prefixPattern = (text: SQL): SQL => sql`regexp_replace(${text}, '([\\\\%_])', '\\\\\\1', 'g') || '%'`

/**
 * Returns whether a filter matches at most one resource and uses an index. Any other filter may read a whole team or return a whole page,
 * even with an index, because a team can give all of its users the same email address or display name.
 */
export function findsAtMostOne(filter: Filter, columns: Columns): boolean {
  if (filter.op === 'and') return filter.filters.some((one) => findsAtMostOne(one, columns))
  return filter.op === 'eq' && columns.unique.has(filter.target.path) && columns.byIndex(filter) !== undefined
}
