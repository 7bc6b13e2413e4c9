import type { ComparisonBudget } from '../comparison-budget.js'
import { readDateTime } from '../read-date-time.js'
import { leafOf } from '../schema/find-target.js'
import { isList, isObject, own, type ScimObject, type ScimValue } from '../scim-object.js'
import type { Comparison, Filter } from './filter.js'

/** Returns whether a resource matches a filter of its type. */
export const matches = (filter: Filter, resource: ScimObject): boolean =>
  compile(filter)(({ extension, attribute, sub, isAbsent }) => {
    if (isAbsent) return []
    const within = extension ? own(resource, extension) : resource
    const values = within === undefined ? [] : valuesOf(within, attribute.name)
    return sub ? values.flatMap((value) => valuesOf(value, sub.name)) : values
  })

/**
 * Returns a function that checks whether a value of a list matches a filter in brackets.
 * @param budget is charged for each comparison
 */
export function matchingValue(filter: Filter, budget?: ComparisonBudget): (value: ScimValue) => boolean {
  const verify = compile(filter, budget)
  return (value) => verify(({ sub }) => (sub ? valuesOf(value, sub.name) : []))
}

type ValuesOf = (target: Comparison['target']) => ScimValue[]

/** Compiles a filter for repeated use, so that its operands are prepared once. */
function compile(filter: Filter, budget?: ComparisonBudget): (valuesAt: ValuesOf) => boolean {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const checks = filter.filters.map((one) => compile(one, budget))
      if (filter.op === 'and') return (valuesAt) => checks.every((verify) => verify(valuesAt))
      return (valuesAt) => checks.some((verify) => verify(valuesAt))
    }
    case 'not': {
      const verify = compile(filter.filter, budget)
      return (valuesAt) => !verify(valuesAt)
    }
    case 'pr':
      return (valuesAt) => {
        budget?.spend(0)
        return valuesAt(filter.target).some(isThere)
      }
    case '[]': {
      const isMatching = matchingValue(filter.filter, budget)
      return (valuesAt) => valuesAt(filter.target).some(isMatching)
    }
    default: {
      const compare = comparing(filter)
      return (valuesAt) => {
        const values = valuesAt(filter.target)
        budget?.spend(values.reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0))
        return values.some(compare)
      }
    }
  }
}

function valuesOf(value: ScimValue, name: string): ScimValue[] {
  const found = own(value, name)
  return found === undefined ? [] : isList(found) ? [...found] : [found]
}

const isThere = (value: ScimValue): boolean =>
  isList(value) ? value.some(isThere) : isObject(value) ? Object.values(value).some(isThere) : value !== ''

function comparing({ op, target, value: operand }: Comparison): (value: ScimValue) => boolean {
  if (typeof operand === 'boolean') return (value) => value === operand
  if (operand instanceof Date)
    return (value) => {
      const dateTime = typeof value === 'string' ? readDateTime(value) : undefined
      return dateTime !== undefined && ordered(op, dateTime.getTime() - operand.getTime())
    }
  const fold = (text: string) => (leafOf(target).caseExact ? text : text.toLowerCase())
  const right = fold(operand)
  return (value) => {
    if (typeof value !== 'string') return false
    const left = fold(value)
    if (op === 'co') return left.includes(right)
    if (op === 'sw') return left.startsWith(right)
    if (op === 'ew') return left.endsWith(right)
    return ordered(op, Buffer.compare(Buffer.from(left), Buffer.from(right)))
  }
}

function ordered(op: Comparison['op'], difference: number): boolean {
  if (op === 'gt') return difference > 0
  if (op === 'ge') return difference >= 0
  if (op === 'lt') return difference < 0
  if (op === 'le') return difference <= 0
  return difference === 0
}
