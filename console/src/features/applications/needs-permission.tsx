import { Page } from '../../ui/page'
import { applicationWords as words } from '../../words'

/** In place of a page that the visitor's role does not open. The service would refuse its calls all the same. */
export function NeedsPermission({ permission }: { permission: string }) {
  return (
    <Page title={words.forbiddenTitle} lead={words.needs(permission)}>
      {null}
    </Page>
  )
}
