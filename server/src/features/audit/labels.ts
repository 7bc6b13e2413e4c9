import type { Transaction } from '../../platform/db/database.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import type { AuditEntry } from './log-repository.js'

/**
 * A step that names things for people: what the ids of one kind are called in the team now. What is not there, or is not the
 * team's, has no name. Rooms to the right give it, and `app.ts` puts it here.
 */
export type Labeller = (tx: Transaction, teamId: TeamId, ids: string[]) => Promise<Map<string, string>>

/** What the log asks of rooms that it does not know. */
export interface AuditNames {
  /** By the kind of a resource (`kind:id`); `user` gives the address and names the actors as well. */
  labellers: Record<string, Labeller>
  /** A step: the members of the team whose address holds the text. */
  membersMatching: (tx: Transaction, teamId: TeamId, text: string) => Promise<UserId[]>
}

/** An entry with the names of who did it and of what it was done to. */
export interface NamedEntry {
  entry: AuditEntry
  actor: { id: string; email: string | null } | null
  target: { kind: string; id: string; label: string | null } | null
}

const targetOf = (resource: string | null) => {
  const cut = resource?.indexOf(':') ?? -1
  return resource === null || cut < 0 ? undefined : { kind: resource.slice(0, cut), id: resource.slice(cut + 1) }
}

/** A step: names entries with one reading for each kind, however many they are. */
export async function nameEntries(
  tx: Transaction,
  { labellers }: AuditNames,
  teamId: TeamId,
  entries: AuditEntry[],
): Promise<NamedEntry[]> {
  const ids = new Map<string, Set<string>>()
  const ask = (kind: string, id: string | null) => {
    const known = id === null ? undefined : parseId(id)
    if (known) ids.set(kind, (ids.get(kind) ?? new Set()).add(known))
  }
  const targets = entries.map(({ resource }) => targetOf(resource))
  for (const { userId } of entries) ask('user', userId)
  for (const target of targets) if (target) ask(target.kind, target.id)

  const labels = new Map<string, Map<string, string>>()
  for (const [kind, of] of ids) {
    const labeller = Object.hasOwn(labellers, kind) ? labellers[kind] : undefined
    if (labeller) labels.set(kind, await labeller(tx, teamId, [...of]))
  }
  const labelOf = (kind: string, id: string) => labels.get(kind)?.get(id) ?? null
  return entries.map((entry, index) => {
    const target = targets[index]
    return {
      entry,
      actor: entry.userId && { id: entry.userId, email: labelOf('user', entry.userId) },
      target: target ? { ...target, label: labelOf(target.kind, target.id) } : null,
    }
  })
}
