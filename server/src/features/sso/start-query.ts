import Type from 'typebox'
import { SECOND } from '../../platform/clock.js'
import { rejection } from '../../platform/errors.js'
import type { SsoDeps } from './deps.js'
import type { Start } from './find-start.js'
import { readReturnPath } from './return-path.js'
import { OLDEST_SIGN_IN } from './verify-age.js'

const Text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))

/** What the address of a login may carry, whichever the protocol. */
export const StartQuery = {
  returnTo: Text(2_000, 'A path of the pages to go on to afterwards'),
  loginHint: Text(320, 'The address that was typed, for the provider'),
  maxAge: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OLDEST_SIGN_IN / SECOND,
      description: 'Seconds that the sign-in at the provider may be old; 0 has the person sign in there anew',
    }),
  ),
  test: Text(100, 'The run of a test sign-in'),
}

interface Asked {
  returnTo?: string
  loginHint?: string
  maxAge?: number
  test?: string
}

/** @throws invalid_request for an address to return to that is none of ours */
export function startOf({ config }: Pick<SsoDeps, 'config'>, query: Asked, browserToken: string): Start {
  return {
    returnTo: returnPathOf({ config }, query),
    loginHint: query.loginHint,
    maxAge: query.maxAge,
    test: query.test,
    browserToken,
  }
}

/** @throws invalid_request for an address to return to that is none of ours */
export function returnPathOf(
  { config }: Pick<SsoDeps, 'config'>,
  { returnTo }: Pick<Asked, 'returnTo'>,
): string | null {
  const path = returnTo === undefined ? null : readReturnPath(returnTo, config.frontendUrl)
  if (path === undefined) throw invalidQuery('returnTo', 'must be a path of our pages, such as /account')
  return path
}

export const invalidQuery = (name: string, message: string) =>
  rejection('invalid_request', { errors: [{ path: `query/${name}`, message }], detail: `${name} ${message}` })
