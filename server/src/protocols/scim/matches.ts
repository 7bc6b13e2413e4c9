import type { Comparison, Filter } from './filter.js'
import { leafOf } from './find-target.js'
import { readInstant } from './read-instant.js'
import { isList, isObject, type ScimObject, type ScimValue } from './scim-object.js'
import type { Work } from './work.js'

/** Whether a resource satisfies a filter of its kind. */
export const matches = (filter: Filter, resource: ScimObject): boolean =>
  verifying(filter)(({ extension, attribute, sub }) => {
    const within = extension ? own(resource, extension) : resource
    const values = within === undefined ? [] : valuesOf(within, attribute.name)
    return sub ? values.flatMap((value) => valuesOf(value, sub.name)) : values
  })

/**
 * Whether one value of a list satisfies a filter that stood in brackets behind the attribute.
 * @param work pays for each comparison
 */
export function matchingValue(filter: Filter, work?: Work): (value: ScimValue) => boolean {
  const verify = verifying(filter, work)
  return (value) => verify(({ sub }) => (sub ? valuesOf(value, sub.name) : []))
}

type ValuesOf = (target: Comparison['target']) => ScimValue[]

/** A filter as it is held against many values: what it compares with is prepared once. */
function verifying(filter: Filter, work?: Work): (valuesAt: ValuesOf) => boolean {
  switch (filter.op) {
    case 'and': {
      const verifies = filter.filters.map((one) => verifying(one, work))
      return (valuesAt) => verifies.every((verify) => verify(valuesAt))
    }
    case 'or': {
      const verifies = filter.filters.map((one) => verifying(one, work))
      return (valuesAt) => verifies.some((verify) => verify(valuesAt))
    }
    case 'not': {
      const verify = verifying(filter.filter, work)
      return (valuesAt) => !verify(valuesAt)
    }
    case 'pr':
      return (valuesAt) => {
        work?.spend(0)
        return valuesAt(filter.target).some(isThere)
      }
    case '[]': {
      const isMatching = matchingValue(filter.filter, work)
      return (valuesAt) => valuesAt(filter.target).some(isMatching)
    }
    default: {
      const compare = comparing(filter)
      return (valuesAt) => {
        const values = valuesAt(filter.target)
        work?.spend(values.reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0))
        return values.some(compare)
      }
    }
  }
}

const own = (value: ScimValue, name: string): ScimValue | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

function valuesOf(value: ScimValue, name: string): ScimValue[] {
  const found = own(value, name)
  return found === undefined ? [] : isList(found) ? [...found] : [found]
}

const isThere = (value: ScimValue): boolean =>
  isList(value) ? value.some(isThere) : isObject(value) ? Object.values(value).some(isThere) : value !== ''

function comparing({ op, target, value: wanted }: Comparison): (value: ScimValue) => boolean {
  if (typeof wanted === 'boolean') return (value) => value === wanted
  if (wanted instanceof Date)
    return (value) => {
      const instant = typeof value === 'string' ? readInstant(value) : undefined
      return instant !== undefined && ordered(op, instant.getTime() - wanted.getTime())
    }
  const fold = (text: string) => (leafOf(target).caseExact ? text : text.toLowerCase())
  const right = fold(wanted)
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
