import type { Filter } from '../filter/filter.js'
import { MAX_MEMBERS_OF_REQUEST, readValues } from '../read-value.js'
import { invalidRequest } from '../scim-error.js'
import { isObject, type ScimObject } from '../scim-object.js'
import { applyChanges, verifyRequired } from './apply-changes.js'
import { type Change, readOperations } from './read-operations.js'

/**
 * Applies a PATCH to a user (RFC 7644 section 3.5.2, and the deviations of common clients). Applies all operations or none; does not
 * modify its arguments.
 * @param body the unvalidated request body
 * @throws {ScimError} 400 with a type
 */
export function applyUserPatch(user: ScimObject, body: unknown): ScimObject {
  const changed = applyChanges('User', user, readOperations('User', body))
  verifyRequired('User', user, changed)
  return changed
}

/** A change of the members of a group: a complete replacement, or additions and removals. IDs as they were sent, without duplicates. */
export type MemberChange =
  | { readonly replace: readonly string[] }
  | { readonly add: readonly string[]; readonly remove: readonly string[] }

/**
 * Applies a PATCH to a group without loading its members, of which there may be ten thousand. A filter of members may only select them by
 * `value`, and only to remove them.
 * @param group the group without its members
 * @param body the unvalidated request body
 * @returns the group without members, and the change of its members; undefined if there is none
 * @throws {ScimError} 400 with a type
 */
export function applyGroupPatch(
  group: ScimObject,
  body: unknown,
): { group: ScimObject; members: MemberChange | undefined } {
  const changes = readOperations('Group', body)
  const others = changes.filter((change) => !changesMembers(change))
  const changed = applyChanges('Group', group, others)
  verifyRequired('Group', group, changed)
  const members = new MemberChanges()
  for (const change of changes) if (changesMembers(change)) members.take(change)
  return { group: changed, members: members.sum() }
}

const changesMembers = ({ path }: Change): boolean => 'target' in path && path.target.attribute.name === 'members'

/** Combines successive changes of members. */
class MemberChanges {
  private readonly added = new Set<string>()
  private readonly removed = new Set<string>()
  private isReplaced = false
  private named = 0

  take({ op, path, value }: Change): void {
    if (!('target' in path)) return
    if (path.filter) {
      if (op !== 'remove') throw invalidRequest('mutability', 'Members can be added and removed, but not changed.')
      this.remove(this.count(idsSelectedBy(path.filter)))
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
    if (this.named > MAX_MEMBERS_OF_REQUEST)
      throw invalidRequest('tooMany', `A request may contain at most ${MAX_MEMBERS_OF_REQUEST} members.`)
    return ids
  }
}

function idOf(member: unknown): string {
  if (isObject(member) && typeof member.value === 'string') return member.value
  throw invalidRequest('invalidValue', 'A member must have a “value”.')
}

/** Returns the IDs of `value eq "…"`, or of several of them joined by `or`. */
function idsSelectedBy(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsSelectedBy)
  if (filter.op === 'eq' && filter.target.sub?.name === 'value' && typeof filter.value === 'string')
    return [filter.value]
  throw invalidRequest('invalidFilter', 'Members must be selected by their value: value eq "…".')
}
