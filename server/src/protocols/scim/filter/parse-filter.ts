import { readDateTime } from '../read-date-time.js'
import { findTarget, leafOf, simpleTarget, subTarget, type Target } from '../schema/find-target.js'
import type { ResourceKind } from '../schema/resource-kinds.js'
import { invalidRequest, type ScimType } from '../scim-error.js'
import type { Comparator, Filter } from './filter.js'
import { scanFilter, type Token } from './scan-filter.js'

/** The maximum nesting of parentheses, brackets and negations. */
const MAX_DEPTH = 20

const COMPARATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const

/** The operators that a type does not support. Strings and references support all. */
const UNSUPPORTED: { readonly [type: string]: readonly Comparator[] } = {
  boolean: ['co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'],
  binary: ['co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'],
  dateTime: ['co', 'sw', 'ew'],
}

/**
 * Parses a filter (RFC 7644 section 3.4.2.2) and validates it against the schema: attributes, operators and types of operands. At most
 * 2,048 characters and 20 levels.
 * @param find resolves the names of attributes
 * @throws {ScimError} `invalidFilter`
 */
export function parseFilter(kind: ResourceKind, source: string, find = findTarget): Filter {
  const reader = new FilterReader(scanFilter(source, 'invalidFilter'), 'invalidFilter', (name) => find(kind, name))
  const filter = reader.readFilter()
  reader.end()
  return filter
}

/** Parses filters from tokens; also used for paths, which may contain one in brackets. */
export class FilterReader {
  private next = 0
  private depth = 0

  constructor(
    private readonly tokens: readonly Token[],
    private readonly type: ScimType,
    private find: (name: string) => Target | undefined,
  ) {}

  /** Parses `FILTER`; the precedence is `not`, `and`, `or`. */
  readFilter(): Filter {
    return this.readRow('or', () => this.readRow('and', () => this.readTerm()))
  }

  /** Parses an optional `[FILTER]` after an attribute, in which names are sub-attributes of it. */
  readBrackets(target: Target): Filter | undefined {
    if (!this.consume('mark', '[')) return undefined
    if (target.attribute.type !== 'complex' || !target.attribute.multiValued || target.sub)
      throw this.rejection(`“${target.path}” is not multi-valued and complex.`)
    const outside = this.find
    this.find = (name) => subTarget(target, name)
    const filter = this.deeper(() => this.readFilter())
    this.find = outside
    this.expectMark(']')
    return filter
  }

  /** Consumes the next token if it is a word. */
  readWord(): string | undefined {
    const token = this.tokens[this.next]
    if (token?.kind !== 'word') return undefined
    this.next += 1
    return token.text
  }

  /** Verifies that no tokens are left. */
  end(): void {
    if (this.next < this.tokens.length) throw this.rejection(`Unexpected ${this.here()}.`)
  }

  private readRow(op: 'and' | 'or', readOne: () => Filter): Filter {
    const first = readOne()
    const filters = [first]
    while (this.consume('word', op)) filters.push(readOne())
    return filters.length > 1 ? { op, filters } : first
  }

  private readTerm(): Filter {
    if (this.consume('mark', '(')) return this.readGroup()
    const following = this.tokens[this.next + 1]
    if (following?.kind === 'mark' && following.text === '(' && this.consume('word', 'not')) {
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
    const name = this.readWord()
    if (name === undefined) throw this.rejection(`Expected an attribute, found ${this.here()}.`)
    const target = this.find(name)
    if (!target) throw this.rejection(`Unknown attribute “${name}”.`)
    const filter = this.readBrackets(target)
    if (filter) return { op: '[]', target, filter }
    const operator = this.readWord()?.toLowerCase() ?? ''
    if (operator === 'pr') return { op: 'pr', target }
    const comparator = COMPARATORS.find((op) => op === operator)
    if (!comparator) throw this.rejection(`Expected an operator after “${name}”.`)
    return this.readComparison(target, comparator)
  }

  private readComparison(whole: Target, comparator: Comparator | 'ne'): Filter {
    const op = comparator === 'ne' ? 'eq' : comparator
    const negated = (filter: Filter): Filter => (comparator === 'ne' ? { op: 'not', filter } : filter)
    const token = this.tokens[this.next]
    this.next += 1
    if (token?.kind === 'word' && token.text.toLowerCase() === 'null') {
      if (op !== 'eq') throw this.rejection('null can only be compared with eq and ne.')
      return comparator === 'ne' ? { op: 'pr', target: whole } : { op: 'not', filter: { op: 'pr', target: whole } }
    }
    const target = simpleTarget(whole)
    if (!target) throw this.rejection(`“${whole.path}” is complex; compare one of its sub-attributes.`)
    const { type } = leafOf(target)
    if (UNSUPPORTED[type]?.includes(op)) throw this.rejection(`“${target.path}” does not support ${comparator}.`)
    const value = literalOf(token, type)
    if (value === undefined) throw this.rejection(`“${target.path}” must be compared with a value of the type ${type}.`)
    return negated({ op, target, value })
  }

  private deeper<T>(read: () => T): T {
    this.depth += 1
    if (this.depth > MAX_DEPTH) throw this.rejection(`Filters can be nested at most ${MAX_DEPTH} levels deep.`)
    const result = read()
    this.depth -= 1
    return result
  }

  /** Consumes the next token if it is this word, in any case, or mark. */
  private consume(kind: 'word' | 'mark', text: string): boolean {
    const token = this.tokens[this.next]
    const is = token?.kind === kind && token.text.toLowerCase() === text
    if (is) this.next += 1
    return is
  }

  private expectMark(mark: string): void {
    if (!this.consume('mark', mark)) throw this.rejection(`Expected “${mark}”, found ${this.here()}.`)
  }

  private here(): string {
    const token = this.tokens[this.next]
    if (!token) return 'end of input'
    return token.kind === 'text' ? 'a string' : `“${token.text}”`
  }

  private rejection(detail: string) {
    return invalidRequest(this.type, detail)
  }
}

/** Returns the operand of a comparison. Some clients write booleans as strings (`roles[primary eq "True"]`). */
function literalOf(token: Token | undefined, type: string): string | boolean | Date | undefined {
  if (!token || token.kind === 'mark') return undefined
  const text = token.kind === 'text' ? token.value : token.text
  if (type === 'boolean') {
    const word = text.toLowerCase()
    return word === 'true' ? true : word === 'false' ? false : undefined
  }
  if (token.kind === 'word') return undefined
  return type === 'dateTime' ? readDateTime(text) : text
}
