import { ERROR } from './urns.js'

/** What RFC 7644, section 3.12, calls a refusal of a request that is otherwise well sent. */
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

/** A refusal in the words of SCIM. Nothing was changed. */
export class ScimFault extends Error {
  override readonly name = 'ScimFault'

  /** @param status 400 with any type, 409 with `uniqueness`; 401, 403, 404, 501 and 5xx have no type */
  constructor(
    readonly status: number,
    readonly scimType: ScimType | undefined,
    readonly detail: string,
  ) {
    super(detail)
  }
}

/** A request that is refused for what it says: 400, and for `uniqueness` 409. */
export const fault = (scimType: ScimType, detail: string): ScimFault =>
  new ScimFault(scimType === 'uniqueness' ? 409 : 400, scimType, detail)

/** The body of a refusal (RFC 7644, section 3.12): there the status is a string. */
export const errorBody = ({ status, scimType, detail }: Pick<ScimFault, 'status' | 'scimType' | 'detail'>) => ({
  schemas: [ERROR],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
})
