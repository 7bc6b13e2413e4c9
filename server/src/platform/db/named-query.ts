/**
 * A hot query: handwritten SQL, prepared once per connection under its name, and typed by hand. All other queries use the query
 * builder, which costs about three times as much per query.
 */
export interface NamedQuery<Row, Values extends object> {
  readonly name: string
  readonly text: string
  /** The names of the parameters by position; undefined if the caller passes a list. */
  readonly parameters?: readonly string[] | undefined
  /** Carries the types; never read. */
  readonly types?: { row: Row; values: Values }
}

const names = new Set<string>()
const MAX_POSITIONS = 4

/**
 * Defines a query. Its parameters are `$1` to `$4`, and the caller passes a list; or they have names such as `:userId`, which are translated
 * once, and the caller passes an object. Names are required from five parameters on.
 * @param name unique in the whole service, `module.action`; PostgreSQL truncates names to 63 bytes
 */
export function namedQuery<Row, Values extends object = []>(name: string, sql: string): NamedQuery<Row, Values> {
  if (names.has(name) || name.length > 63) throw new Error(`The query name ${name} is taken or too long`)
  names.add(name)
  const parameters: string[] = []
  // `::type` is a cast, and `12:30` is part of a literal.
  const text = sql
    .replace(/(?<![:\w]):([a-z]\w*)/gi, (_whole, parameter: string) => {
      if (!parameters.includes(parameter)) parameters.push(parameter)
      return `$${parameters.indexOf(parameter) + 1}`
    })
    .replace(/\s+/g, ' ')
    .trim()
  const hasNames = parameters.length > 0
  const positions = [...sql.matchAll(/\$(\d+)/g)].map(([, position]) => Number(position))
  if (hasNames ? positions.length > 0 : Math.max(0, ...positions) > MAX_POSITIONS)
    throw new Error(`The query ${name} must name all of its parameters`)
  return { name, text, parameters: hasNames ? parameters : undefined }
}

/** Returns the values of a query by position. @throws if an object has other names than the parameters of the query */
export function valuesByPosition<Values extends object>(
  { name, parameters }: NamedQuery<unknown, Values>,
  values: Values,
): unknown[] {
  if (!parameters) return values as unknown[]
  const given = values as Record<string, unknown>
  if (
    Object.keys(given).length !== parameters.length ||
    !parameters.every((parameter) => Object.hasOwn(given, parameter))
  )
    throw new Error(`The query ${name} takes the parameters ${parameters.join(', ')}`)
  return parameters.map((parameter) => given[parameter])
}
