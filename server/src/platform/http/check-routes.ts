import type { ErrorTable } from '../app-error.js'
import { PLATFORM_ERRORS } from '../errors.js'
import type { Dialect } from './dialect.js'
import type { Route } from './route.js'

/** The error codes of the service that a route can declare. */
export type ErrorCodes = ReadonlyMap<string, { status: number; title: string }>

/** @throws Error if two tables declare the same code */
export function collectErrorCodes(tables: readonly ErrorTable[]): ErrorCodes {
  const codes = new Map<string, { status: number; title: string }>()
  for (const table of [PLATFORM_ERRORS, ...tables]) {
    for (const [code, spec] of Object.entries(table)) {
      if (codes.has(code)) throw new Error(`The error code ${code} is declared twice`)
      codes.set(code, spec)
    }
  }
  return codes
}

/** Splits an entry of `Route.errors`: `code` or `code:status`. */
export function codeAndStatus(entry: string): [code: string, status: number | undefined] {
  const [code = '', status] = entry.split(':')
  return [code, status === undefined ? undefined : Number(status)]
}

/** @throws Error if the declaration of a route is incomplete or names an unknown permission or error code */
export function checkRoute(
  route: Route,
  { name: ownPermission, errors, authentication }: Dialect,
  codes: ErrorCodes,
  knowsPermission: (permission: string) => boolean,
): void {
  const { permission } = route
  const name = `${route.method} ${route.path}`
  if (!permission) throw new Error(`${name} declares no permission`)
  const isOwn = authentication !== undefined && permission === ownPermission
  if (!['public', 'signed-in'].includes(permission) && !isOwn && !knowsPermission(permission))
    throw new Error(`${name} requires the unknown permission ${permission}`)
  if (Object.keys(route.responses).length === 0) throw new Error(`${name} declares no response`)
  if (isOwn && !route.path.startsWith(authentication.path))
    throw new Error(`${name} requires ${permission} and its path does not begin with ${authentication.path}`)
  for (const [code] of (route.errors ?? []).map(codeAndStatus))
    if (!codes.has(code) && !(code in errors))
      throw new Error(`${name} names the error ${code}, which no module declares`)
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1])
  const described = Object.keys(route.params?.properties ?? {})
  if (inPath.join() !== described.join())
    throw new Error(`${name} has the parameters ${inPath.join()} and describes ${described.join()}`)
}
