import m from '../../messages/en/permissions.json'
import { Page } from '../../ui/page/page'

/** Replaces a page that the user's role has no access to. The service rejects its requests as well. */
export function NeedsPermission({ permission }: { permission: string }) {
  return (
    <Page title={m.noAccess()} lead={needsText(permission)}>
      {null}
    </Page>
  )
}

/** Says which role has the permission `{area}:{action}`. */
export const needsText = (permission: string): string => m.needs({ area: permission.split(/[:-]/)[0] ?? '' })
