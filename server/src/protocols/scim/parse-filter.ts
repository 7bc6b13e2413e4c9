import type { Comparator, Filter } from './filter.js'
import { findTarget, leafOf, simpleTarget, subTarget, type Target } from './find-target.js'
import { readInstant } from './read-instant.js'
import type { ResourceKind } from './resource-kinds.js'
import { scanFilter, type Token } from './scan-filter.js'
import { fault, type ScimType } from './scim-fault.js'

/** How deep parentheses, brackets and negations may stand in each other. */
const DEEPEST = 20

const COMPARATORS: ReadonlyMap<string, Comparator | 'ne'> = new Map(
  (['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const).map((op) => [op, op]),
)

/** What the types do not know beside the rest. Texts and references know everything. */
const UNKNOWN_TO: { readonly [type: string]: ReadonlySet<Comparator> } = {
  boolean: new Set<Comparator>(['co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']),
  binary: new Set<Comparator>(['co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']),
  dateTime: new Set<Comparator>(['co', 'sw', 'ew']),
}

/**
 * Reads a filter (RFC 7644, section 3.4.2.2) and judges it against the schema: only attributes that this kind of resource has, only
 * operators and values that fit their types. At most 2,048 characters and 20 levels.
 * @throws {ScimFault} `invalidFilter`
 */
export function parseFilter(kind: ResourceKind, source: string): Filter {
  const reader = new FilterReader(scanFilter(source, 'invalidFilter'), 'invalidFilter', (name) =>
    findTarget(kind, name),
  )
  const filter = reader.readFilter()
  reader.end()
  return filter
}

/** Reads filters out of a row of tokens; paths, which have one in brackets, are read by it too. */
export class FilterReader {
  private next = 0
  private depth = 0

  constructor(
    private readonly tokens: readonly Token[],
    private readonly type: ScimType,
    private find: (name: string) => Target | undefined,
  ) {}

  /** `FILTER`: `or` binds less than `and`, and that less than `not`. */
  readFilter(): Filter {
    return this.readRow('or', () => this.readRow('and', () => this.readTerm()))
  }

  /** `[FILTER]` behind an attribute, if there is one: its attributes are sub-attributes of that. */
  readBrackets(target: Target): Filter | undefined {
    if (!this.takesMark('[')) return undefined
    if (target.attribute.type !== 'complex' || !target.attribute.multiValued || target.sub)
      throw this.rejection(`“${target.path}” is no list of values with parts.`)
    const outside = this.find
    this.find = (name) => subTarget(target, name)
    const filter = this.deeper(() => this.readFilter())
    this.find = outside
    this.expectMark(']')
    return filter
  }

  /** The next token, if it is a word. */
  takeWord(): string | undefined {
    const token = this.tokens[this.next]
    if (token?.kind !== 'word') return undefined
    this.next += 1
    return token.text
  }

  /** Nothing may follow. */
  end(): void {
    if (this.next < this.tokens.length) throw this.rejection(`Nothing is expected where ${this.here()} stands.`)
  }

  private readRow(op: 'and' | 'or', readOne: () => Filter): Filter {
    const first = readOne()
    const filters = [first]
    while (this.takesWord(op)) filters.push(readOne())
    return filters.length > 1 ? { op, filters } : first
  }

  private readTerm(): Filter {
    if (this.takesMark('(')) return this.readGroup()
    const following = this.tokens[this.next + 1]
    if (following?.kind === 'mark' && following.text === '(' && this.takesWord('not')) {
      this.next += 1
      return { op: 'not', filter: this.readGroup() }
    }
    return this.readCondition()
  }

  private readGroup(): Filter {
    const filter = this.deeper(() => this.readFilter())
    this.expectMark(')')
    return filter
  }

  private readCondition(): Filter {
    const name = this.takeWord()
    if (name === undefined) throw this.rejection(`An attribute is expected where ${this.here()} stands.`)
    const target = this.find(name)
    if (!target) throw this.rejection(`There is no attribute “${name}” to filter by.`)
    const filter = this.readBrackets(target)
    if (filter) return { op: '[]', target, filter }
    const operator = this.takeWord()?.toLowerCase() ?? ''
    if (operator === 'pr') return { op: 'pr', target }
    const comparator = COMPARATORS.get(operator)
    if (!comparator) throw this.rejection(`An operator is expected behind “${name}”.`)
    return this.readComparison(target, comparator)
  }

  private readComparison(whole: Target, comparator: Comparator | 'ne'): Filter {
    const op = comparator === 'ne' ? 'eq' : comparator
    const negated = (filter: Filter): Filter => (comparator === 'ne' ? { op: 'not', filter } : filter)
    const token = this.tokens[this.next]
    this.next += 1
    if (token?.kind === 'word' && token.text.toLowerCase() === 'null') {
      if (op !== 'eq') throw this.rejection('null is compared by eq and ne alone.')
      return comparator === 'ne' ? { op: 'pr', target: whole } : { op: 'not', filter: { op: 'pr', target: whole } }
    }
    const target = simpleTarget(whole)
    if (!target) throw this.rejection(`“${whole.path}” has parts, of which one is to be named.`)
    const { type } = leafOf(target)
    if (UNKNOWN_TO[type]?.has(op)) throw this.rejection(`“${target.path}” is not compared by ${comparator}.`)
    const value = literalOf(token, type)
    if (value === undefined) throw this.rejection(`“${target.path}” is compared with a value of the type ${type}.`)
    return negated({ op, target, value })
  }

  private deeper<T>(read: () => T): T {
    this.depth += 1
    if (this.depth > DEEPEST) throw this.rejection(`At most ${DEEPEST} levels are read.`)
    const result = read()
    this.depth -= 1
    return result
  }

  private takesWord(word: string): boolean {
    const token = this.tokens[this.next]
    const is = token?.kind === 'word' && token.text.toLowerCase() === word
    if (is) this.next += 1
    return is
  }

  private takesMark(mark: string): boolean {
    const token = this.tokens[this.next]
    const is = token?.kind === 'mark' && token.text === mark
    if (is) this.next += 1
    return is
  }

  private expectMark(mark: string): void {
    if (!this.takesMark(mark)) throw this.rejection(`“${mark}” is expected where ${this.here()} stands.`)
  }

  private here(): string {
    const token = this.tokens[this.next]
    if (!token) return 'the end'
    return token.kind === 'text' ? 'a text' : `“${token.text}”`
  }

  private rejection(detail: string) {
    return fault(this.type, detail)
  }
}

/** The value that is compared with. Directories write booleans as texts too (`roles[primary eq "True"]`). */
function literalOf(token: Token | undefined, type: string): string | boolean | Date | undefined {
  if (!token || token.kind === 'mark') return undefined
  const text = token.kind === 'text' ? token.value : token.text
  if (type === 'boolean') {
    const word = text.toLowerCase()
    return word === 'true' ? true : word === 'false' ? false : undefined
  }
  if (token.kind === 'word') return undefined
  return type === 'dateTime' ? readInstant(text) : text
}
