import Type from 'typebox'
import { SECOND } from '../../../platform/clock.js'
import { rejection } from '../../../platform/errors.js'
import type { SsoDeps } from '../model/deps.js'
import type { Start } from './find-start.js'
import { readReturnPath } from './return-path.js'
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

interface StartParameters {
  returnTo?: string
  loginHint?: string
  maxAge?: number
  test?: string
}

/** @throws invalid_request if `returnTo` is not a path of Keyward's pages */
export function startOf({ config }: Pick<SsoDeps, 'config'>, query: StartParameters, browserToken: string): Start {
  return {
    returnTo: returnPathOf({ config }, query),
    loginHint: query.loginHint,
    maxAge: query.maxAge,
    test: query.test,
    browserToken,
  }
}

/** @throws invalid_request if `returnTo` is not a path of Keyward's pages */
export function returnPathOf(
  { config }: Pick<SsoDeps, 'config'>,
  { returnTo }: Pick<StartParameters, 'returnTo'>,
): string | null {
  const path = returnTo === undefined ? null : readReturnPath(returnTo, config.frontendUrl)
  if (path === undefined) throw invalidQuery('returnTo', 'must be the path of a page of Keyward, such as /account')
  return path
}

export const invalidQuery = (name: string, message: string) =>
  rejection('invalid_request', { errors: [{ path: `query/${name}`, message }], detail: `${name} ${message}` })
