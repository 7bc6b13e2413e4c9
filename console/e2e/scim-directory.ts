import { at } from './browser'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** What a directory does with the address and the token that it was given. */
export interface ScimDirectory {
  send(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>
  makeUser(user: object): ReturnType<ScimDirectory['send']>
  makeGroup(group: object): ReturnType<ScimDirectory['send']>
}

/** A client of SCIM outside of the browser. @param base as the page shows it */
export function scimDirectory(base: string, token: string): ScimDirectory {
  const send: ScimDirectory['send'] = async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }
  return {
    send,
    makeUser: (user) => send('POST', '/Users', { schemas: [USER], ...user }),
    makeGroup: (group) => send('POST', '/Groups', { schemas: [GROUP], ...group }),
  }
}

/** The address of a team's SCIM service. */
export const scimBase = (slug: string) => at(`/scim/v2/${slug}`)
