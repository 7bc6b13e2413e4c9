import { ERROR } from './schema/urns.js'

/** The error types of RFC 7644 section 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'

/** A SCIM error. Nothing was changed. */
export class ScimError extends Error {
  override readonly name = 'ScimError'

  /** @param status 400 with any type, 409 with `uniqueness`; 401, 403, 404, 501 and 5xx have no type */
  constructor(
    readonly status: number,
    readonly scimType: ScimType | undefined,
    readonly detail: string,
  ) {
    super(detail)
  }
}

/** Returns an error for an invalid request: 400, or 409 for `uniqueness`. */
export const invalidRequest = (scimType: ScimType, detail: string): ScimError =>
  new ScimError(scimType === 'uniqueness' ? 409 : 400, scimType, detail)

/** Returns the body of an error (RFC 7644 section 3.12), in which the status is a string. */
export const errorBody = ({ status, scimType, detail }: Pick<ScimError, 'status' | 'scimType' | 'detail'>) => ({
  schemas: [ERROR],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
})
