import { parseId, type UserId } from '../../../platform/ids.js'
import type { AuditAction } from '../actions.js'

/** The person whom data in an entry describes: a user, or an address that may have no account. */
export type Person = { userId: UserId } | { email: string }

/** Members of the metadata that describe a person, in addition to `email`. */
const PERSONAL_MEMBERS: Partial<Record<AuditAction, readonly string[]>> = {
  // Named after the user, unless the user chooses another name.
  'organization.created': ['name', 'slug'],
  'organization.deleted': ['name', 'slug'],
  'factor.enrolled': ['name'],
  'factor.enrollment_started': ['name'],
  'factor.removed': ['name'],
  'factor.renamed': ['from', 'to'],
  'factor.clone_suspected': ['name'],
  'mail.read': ['recipient'],
  'policy.evaluated': ['context'],
  'user.email_changed': ['from', 'to'],
  'user.link_requested': ['to'],
}

/** Actions on an address that belongs neither to the actor nor to the target. The member has it. */
const ADDRESS_MEMBERS: Partial<Record<AuditAction, string>> = {
  'invitation.accepted': 'email',
  'invitation.revoked': 'email',
  'mail.read': 'recipient',
  'member.invited': 'email',
}

/** Attempts to sign in, which must not show whether the email address in the metadata has an account. */
const ATTEMPTS: readonly AuditAction[] = ['user.locked', 'user.login']

/** Returns the person of an attempt to sign in: the user, or the address if it has no account; undefined for any other entry. */
function attemptOf({ userId, action, metadata }: Omit<Recorded, 'resource'>): Person | undefined {
  if (!ATTEMPTS.includes(action) || typeof metadata.email !== 'string') return undefined
  return userId ? { userId } : { email: metadata.email }
}

/** The members of a new entry that decide which of its data is personal. */
interface Recorded {
  userId: UserId | null
  action: AuditAction
  resource: string | null
  metadata: Record<string, unknown>
}

/** The metadata of an entry, divided; without a person, there is no personal part. */
export interface DividedMetadata {
  metadata: Record<string, unknown>
  personal?: { of: Person; values: Record<string, unknown> }
  /** The entry is of an attempt to sign in, whose origin belongs to the same person. */
  isAttempt: boolean
}

/** Divides the metadata of an entry into the part that erasure leaves readable, and the data of a person. */
export function divideMetadata({ userId, action, resource, metadata }: Recorded): DividedMetadata {
  const names = ['email', ...(PERSONAL_MEMBERS[action] ?? [])].filter((name) => metadata[name] != null)
  const attempt = attemptOf({ userId, action, metadata })
  const of = attempt ?? (names.length > 0 ? describedPerson({ userId, action, resource, metadata }) : undefined)
  if (!of) return { metadata, isAttempt: false }
  const isPersonal = ([name]: [string, unknown]) => names.includes(name)
  const members = Object.entries(metadata)
  return {
    metadata: Object.fromEntries(members.filter((member) => !isPersonal(member))),
    personal: { of, values: Object.fromEntries(members.filter(isPersonal)) },
    isAttempt: attempt !== undefined,
  }
}

function describedPerson({ userId, action, resource, metadata }: Recorded): Person | undefined {
  const address = metadata[ADDRESS_MEMBERS[action] ?? 'email']
  const withAddress = typeof address === 'string' ? { email: address } : undefined
  if (ADDRESS_MEMBERS[action]) return withAddress
  // The resource of an access decision is any string of the caller.
  const target = action === 'policy.evaluated' ? undefined : userIn(resource)
  const described = target ?? userId
  return described ? { userId: described } : withAddress
}

const userIn = (resource: string | null): UserId | undefined =>
  resource?.startsWith('user:') ? parseId<UserId>(resource.slice('user:'.length)) : undefined
