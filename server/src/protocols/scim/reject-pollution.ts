import { fault } from './scim-fault.js'
import { isList, isObject } from './scim-object.js'

/** Names by which every object is reached, as a whole key or as a part of one (`name.__proto__`). No attribute is called so. */
const REACHES_ALL = /(?:^|[^\w$])(?:__proto__|constructor|prototype)(?:$|[^\w$])/i

/** Deeper than anything of SCIM. */
const DEEPEST = 16

/**
 * Refuses a body that has a key by which the prototypes of all objects are reached, anywhere, or that is deeper than 16 levels. Nothing here
 * would write to such a key; whoever sends one is up to something.
 * @throws {ScimFault} `invalidSyntax`
 */
export function rejectPollution(body: unknown): void {
  const waiting: [value: unknown, depth: number][] = [[body, 0]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next
    if (!isList(value) && !isObject(value)) continue
    if (depth === DEEPEST) throw fault('invalidSyntax', `The body has at most ${DEEPEST} levels.`)
    if (isObject(value) && Object.keys(value).some((key) => REACHES_ALL.test(key)))
      throw fault('invalidSyntax', 'The body has a key that no attribute is called by.')
    for (const inside of Object.values(value)) waiting.push([inside, depth + 1])
  }
}
