import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { Transaction } from '../../../platform/db/database.js'
import { parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import type { Labeller } from '../../../platform/module.js'
import { type RevealedEntry, revealEntries } from '../personal-data/reveal-entries.js'
import type { AuditEntry } from './repository.js'

/** The functions of later modules that the log calls; `app.ts` passes them. */
export interface AuditNames {
  /** The labellers by the kind of a resource (`kind:id`); `user` returns the email address and also names the actors. */
  labellers: Record<string, Labeller>
  /** Returns the members of the team whose email address contains the string. Runs in the caller's transaction. */
  membersMatching: (tx: Transaction, teamId: TeamId, search: string) => Promise<UserId[]>
}

/** An entry with readable personal data, and the names of its actor and its target. */
export interface NamedEntry {
  entry: RevealedEntry<AuditEntry>
  actor: { id: string; email: string | null } | null
  target: { kind: string; id: string; label: string | null } | null
}

const targetOf = (resource: string | null) => {
  const cut = resource?.indexOf(':') ?? -1
  return resource === null || cut < 0 ? undefined : { kind: resource.slice(0, cut), id: resource.slice(cut + 1) }
}

/** Decrypts entries and adds the names, with one query per kind. Runs in the caller's transaction. */
export async function nameEntries(
  tx: Transaction,
  { names: { labellers }, envelope }: { names: AuditNames; envelope: Envelope },
  teamId: TeamId,
  stored: AuditEntry[],
): Promise<NamedEntry[]> {
  const entries = await revealEntries(tx, envelope, stored)
  const ids = new Map<string, Set<string>>()
  const request = (kind: string, id: string | null) => {
    const known = id === null ? undefined : parseId(id)
    if (known) ids.set(kind, (ids.get(kind) ?? new Set()).add(known))
  }
  const targets = entries.map(({ resource }) => targetOf(resource))
  for (const { userId } of entries) request('user', userId)
  for (const target of targets) if (target) request(target.kind, target.id)

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
