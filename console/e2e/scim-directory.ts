import { at } from './browser'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** A directory that provisions with a base URL and a token. */
export interface ScimDirectory {
  send(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>
  createUser(user: object): ReturnType<ScimDirectory['send']>
  createGroup(group: object): ReturnType<ScimDirectory['send']>
}

/** Returns a SCIM client outside of the browser. @param base the base URL on the page */
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
    createUser: (user) => send('POST', '/Users', { schemas: [USER], ...user }),
    createGroup: (group) => send('POST', '/Groups', { schemas: [GROUP], ...group }),
  }
}

/** The SCIM base URL of a team. */
export const scimBase = (slug: string) => at(`/scim/v2/${slug}`)
