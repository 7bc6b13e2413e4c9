import type { ScimRequest } from '../../../api/contract'
import stack from '../../../ui/stack.module.css'
import { refusalOf, scimWords as words } from '../../../words'

/** Why a request was refused, what to do about it, and what the directory was told; nothing of one that was granted. */
export function RefusalWords({ request }: { request: ScimRequest }) {
  const refusal = refusalOf(request)
  if (!refusal) return null
  const { scimType, detail } = request
  return (
    <>
      <p>{refusal}</p>
      {(scimType || detail) && (
        <p className={stack.small}>
          {words.told} {scimType && <code>{scimType}</code>} {detail}
        </p>
      )}
    </>
  )
}
