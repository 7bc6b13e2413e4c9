import { applyChanges } from './apply-changes.js'
import type { Filter } from './filter.js'
import { keepRequired } from './keep-required.js'
import { MOST_MEMBERS } from './list-limits.js'
import { type Change, readOperations } from './read-operations.js'
import { readValues } from './read-value.js'
import { fault } from './scim-fault.js'
import { isObject, type ScimObject } from './scim-object.js'

/** What becomes of the members of a group: exactly these, or some more and some less. Ids as they were sent, each once. */
export type MemberChange =
  | { readonly replace: readonly string[] }
  | { readonly add: readonly string[]; readonly remove: readonly string[] }

/**
 * A PATCH of a group whose members are not at hand: it may have ten thousand, and be sent one more. A filter of members chooses them by
 * `value` alone, and only to remove them.
 * @param group the group without its members
 * @param body as it was sent
 * @returns the group after it, without members, and what becomes of these; undefined when that is nothing
 * @throws {ScimFault} 400 with a type
 */
export function applyGroupPatch(
  group: ScimObject,
  body: unknown,
): { group: ScimObject; members: MemberChange | undefined } {
  const changes = readOperations('Group', body)
  const changed = applyChanges(
    'Group',
    group,
    changes.filter((change) => !isOfMembers(change)),
  )
  keepRequired('Group', group, changed)
  const members = new MemberChanges()
  for (const change of changes) if (isOfMembers(change)) members.take(change)
  return { group: changed, members: members.sum() }
}

const isOfMembers = ({ path }: Change): boolean => 'target' in path && path.target.attribute.name === 'members'

/** Changes of members one after another, summed up. */
class MemberChanges {
  private readonly added = new Set<string>()
  private readonly removed = new Set<string>()
  private isReplaced = false
  private named = 0

  take({ op, path, value }: Change): void {
    if (!('target' in path)) return
    if (path.filter) {
      if (op !== 'remove') throw fault('mutability', 'Members are added and removed, and not changed.')
      this.remove(this.count(idsChosenBy(path.filter)))
      return
    }
    const sent = value === undefined || value === null ? undefined : readValues(path.target.attribute, value, 'members')
    const ids = sent && this.count(sent.map(idOf))
    if (op === 'remove' && ids) this.remove(ids)
    else if (op === 'add') this.add(ids ?? [])
    else this.replace(op === 'replace' ? (ids ?? []) : [])
  }

  sum(): MemberChange | undefined {
    if (this.isReplaced) return { replace: [...this.added] }
    if (this.added.size === 0 && this.removed.size === 0) return undefined
    return { add: [...this.added], remove: [...this.removed] }
  }

  private add(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.add(id)
      this.removed.delete(id)
    }
  }

  private remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.delete(id)
      if (!this.isReplaced) this.removed.add(id)
    }
  }

  private replace(ids: readonly string[]): void {
    this.isReplaced = true
    this.removed.clear()
    this.added.clear()
    this.add(ids)
  }

  private count(ids: readonly string[]): readonly string[] {
    this.named += ids.length
    if (this.named > MOST_MEMBERS) throw fault('tooMany', `At most ${MOST_MEMBERS} members are named at once.`)
    return ids
  }
}

function idOf(member: unknown): string {
  if (isObject(member) && typeof member.value === 'string') return member.value
  throw fault('invalidValue', 'A member has a “value”.')
}

/** `value eq "…"`, or several of them with `or`. */
function idsChosenBy(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsChosenBy)
  if (filter.op === 'eq' && filter.target.sub?.name === 'value' && typeof filter.value === 'string')
    return [filter.value]
  throw fault('invalidFilter', 'Members are chosen by their value: value eq "…".')
}
