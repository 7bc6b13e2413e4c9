import type { ScimRequest } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import stack from '../../../ui/layout/stack.module.css'
import { errorOf } from './error-of'

/** The cause of a rejected request, its fix, and the response; nothing for a successful request. */
export function RequestError({ request }: { request: ScimRequest }) {
  const error = errorOf(request)
  if (!error) return null
  const { scimType, detail } = request
  return (
    <>
      <p>{error}</p>
      {(scimType || detail) && (
        <p className={stack.small}>
          {m.response()} {scimType && <code>{scimType}</code>} {detail}
        </p>
      )}
    </>
  )
}
