import { type SQL, sql } from 'drizzle-orm'
import { type Comparison, type Filter, leafOf, type Target } from '../../protocols/scim/index.js'

/**
 * Where the attributes of a kind of resource lie. Nothing else is ever asked for: a filter names only attributes of the schema, and what
 * it compares them with is a parameter.
 */
export interface Columns {
  /** A simple attribute that is in no list, by the type of its schema (text, boolean, timestamptz); NULL where it has no value. */
  simple(target: Target): SQL
  /** The values of a multi-valued attribute: a SELECT of one column of jsonb. */
  values(target: Target): SQL
  /** The paths of attributes that no two resources of a team have in common, which `byIndex` answers. */
  unique: ReadonlySet<string>
  /** A comparison that an index answers, where there is one. */
  byIndex(comparison: Comparison): SQL | undefined
  /** What an index knows of all who meet a comparison, and of few others. */
  among?(comparison: Comparison): SQL | undefined
}

/**
 * A filter as a condition of SQL. It may be NULL where it is not true, as conditions may; what is negated is made true or false first.
 */
export function compileFilter(filter: Filter, columns: Columns): SQL {
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

/** What must be met for a filter to be met. */
export const partsOf = (filter: Filter): readonly Filter[] => (filter.op === 'and' ? filter.filters : [filter])

/** The condition, looked for only where an index finds what the filter, or a part of it that must be met, compares. */
function narrowed(filter: Filter, columns: Columns, condition: SQL): SQL {
  const among = partsOf(filter).flatMap((part) => ('value' in part && columns.among?.(part)) || [])
  return among.length > 0 ? junction('and', [...among, condition]) : condition
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

/** A sub-attribute of a JSON value; the value itself, where it has none. */
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

function comparison(wanted: Comparison, columns: Columns): SQL {
  const { target } = wanted
  if (!target.attribute.multiValued || columns === within) return compare(columns.simple(target), wanted)
  return sql`EXISTS (SELECT 1 FROM (${columns.values(target)}) AS v (e) WHERE ${compare(part(sql`v.e`, target), wanted)})`
}

function compare(left: SQL, { op, target, value }: Comparison): SQL {
  if (typeof value === 'boolean') return sql`${left} = ${value}`
  if (value instanceof Date) return sql`${left} ${OPERATORS[op]} ${value.toISOString()}::timestamptz`
  const { caseExact } = leafOf(target)
  const folded = caseExact ? left : sql`lower(${left})`
  const right = caseExact ? sql`${value}::text` : lowered(value)
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

/** What a list is sorted by: of several values the primary one counts, else the first; texts without case unless they are exact. */
export function compileOrder(target: Target, columns: Columns): SQL {
  const leaf = leafOf(target)
  const value = target.attribute.multiValued
    ? sql`(SELECT ${part(sql`v.e`, target)} FROM (SELECT e, row_number() OVER () AS place FROM (${columns.values(target)}) AS w (e)) AS v
        ORDER BY (v.e ->> 'primary') = 'true' DESC NULLS LAST, v.place LIMIT 1)`
    : columns.simple(target)
  if (leaf.type === 'boolean' || leaf.type === 'dateTime') return value
  return leaf.caseExact ? sql`${value} COLLATE "C"` : sql`lower(${value}) COLLATE "C"`
}

/**
 * A text as the database writes it in lower case, as it does what it is compared with. JavaScript has other small letters for a few (Σ at
 * the end of a word, İ): by those a text would not be found by itself.
 */
export const lowered = (text: string): SQL => sql`lower(${text}::text)`

/** What LIKE finds texts by that begin with this one; in the collation "C" an index serves it. */
export const beginningWith = (text: SQL): SQL => sql`regexp_replace(${text}, '([\\\\%_])', '\\\\\\1', 'g') || '%'`
