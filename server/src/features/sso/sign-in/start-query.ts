import Type from 'typebox'
import { SECOND } from '../../../platform/clock.js'
import { rejection } from '../../../platform/errors.js'
import type { SsoDeps } from '../model/deps.js'
import type { Start } from './find-start.js'
import { OLDEST_SIGN_IN } from './verify-age.js'

const Text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))

/** Query parameters of a login URL, in both protocols. */
export const StartQuery = {
  returnTo: Text(2_000, 'Path of the pages to continue to after the sign-in'),
  loginHint: Text(320, 'Email address that the user entered, passed to the provider'),
  maxAge: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OLDEST_SIGN_IN / SECOND,
      description: 'Maximum age of the sign-in at the provider, in seconds; 0 requires the user to sign in there again',
    }),
  ),
  test: Text(100, 'ID of a test sign-in'),
}

type StartParameters = Type.Static<Type.TObject<typeof StartQuery>>

/** @throws invalid_request if `returnTo` is not a path of Keyward's pages */
export const startOf = (
  deps: Pick<SsoDeps, 'config'>,
  { returnTo, loginHint, maxAge, test }: StartParameters,
  browserToken: string,
): Start => ({ returnTo: returnPathOf(deps, { returnTo }), loginHint, maxAge, test, browserToken })

/** @throws invalid_request if `returnTo` is not a path of Keyward's pages */
export function returnPathOf(
  { config }: Pick<SsoDeps, 'config'>,
  { returnTo }: { returnTo?: string | undefined },
): string | null {
  const path = returnTo === undefined ? null : readReturnPath(returnTo, config.frontendUrl)
  if (path === undefined) throw invalidQuery('returnTo', 'must be the path of a page of Keyward, such as /account')
  return path
}

export const invalidQuery = (name: string, message: string) =>
  rejection('invalid_request', { errors: [{ path: `query/${name}`, message }], detail: `${name} ${message}` })

const LONGEST = 2_000

/** Returns a path of Keyward's pages to continue to after a sign-in; undefined for every value that could lead elsewhere. */
export function readReturnPath(text: string, frontendUrl: string): string | undefined {
  if (text.length > LONGEST || !isPath(text) || /[\p{C}\\]/u.test(text)) return undefined
  const base = new URL(frontendUrl)
  if (!URL.canParse(text, base.href)) return undefined
  const { origin, pathname, search, hash } = new URL(text, base)
  // Check again: `/.//host` is normalized to `//host`.
  return origin === base.origin && isPath(pathname) ? `${pathname}${search}${hash}` : undefined
}

const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text)
