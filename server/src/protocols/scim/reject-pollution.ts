import { invalidRequest } from './scim-error.js'
import { isList, isObject } from './scim-object.js'

/** Keys that reach the prototypes of objects, alone or within a path (`name.__proto__`). No attribute has these names. */
const RESERVED_KEY = /(?:^|[^\w$])(?:__proto__|constructor|prototype)(?:$|[^\w$])/i

/** Deeper than any SCIM resource. */
const MAX_DEPTH = 16

/**
 * Rejects a body with a key that could reach the prototypes of objects, or with more than 16 levels. No code here writes to such keys;
 * this is defense in depth.
 * @throws {ScimError} `invalidSyntax`
 */
export function rejectPollution(body: unknown): void {
  const waiting: [value: unknown, depth: number][] = [[body, 0]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next
    if (!isList(value) && !isObject(value)) continue
    if (depth === MAX_DEPTH) throw invalidRequest('invalidSyntax', `The body may have at most ${MAX_DEPTH} levels.`)
    if (isObject(value) && Object.keys(value).some((key) => RESERVED_KEY.test(key)))
      throw invalidRequest('invalidSyntax', 'The body contains a reserved key.')
    for (const inside of Object.values(value)) waiting.push([inside, depth + 1])
  }
}
