import type { Application } from '../../../api/contract'

/** The origin of a user's access to an application. */
export type Origin = 'direct' | 'groups' | 'everyone'

export interface Access {
  id: string
  name: string
  logoUrl: string | undefined
  origin: Origin
  /** names of the groups, if they are the origin */
  groups: string[]
}

interface Named {
  id: string
  name: string
}

interface Assigned {
  applications: Named[]
  inherited: (Named & { via: Named[] })[]
}

type Listed = Pick<Application, 'id' | 'name' | 'logoUrl' | 'type' | 'grantTypes' | 'assignmentRequired' | 'stoppedAt'>

/** The grant types with which users sign in to an application. */
const SIGN_IN_GRANTS = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']

/** Returns whether users can sign in to the application. */
const isInUse = ({ type, grantTypes, stoppedAt }: Listed): boolean =>
  stoppedAt === undefined && (type === 'SAML' || grantTypes.some((grant) => SIGN_IN_GRANTS.includes(grant)))

/**
 * Returns the applications of a user by name, with the strongest origin: a direct assignment, then groups, then access for every member.
 * The service lists the assignments of a user; the applications without required assignment are open to all members. Applications that are
 * stopped or sign in no users are left out.
 */
export function accessOf({ applications, inherited }: Assigned, all: readonly Listed[]): Access[] {
  const found = new Map<string, Access>()
  const add = ({ id, name }: Named, origin: Origin, groups: string[] = []) => {
    const listed = all.find((one) => one.id === id)
    if (found.has(id) || (listed && !isInUse(listed))) return
    found.set(id, { id, name, logoUrl: listed?.logoUrl, origin, groups })
  }
  for (const one of applications) add(one, 'direct')
  for (const one of inherited)
    add(
      one,
      'groups',
      one.via.map(({ name }) => name),
    )
  for (const one of all) if (!one.assignmentRequired) add(one, 'everyone')
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}
