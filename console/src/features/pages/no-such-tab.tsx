import { Button } from '@mantine/core'
import { Link, useMatches } from '@tanstack/react-router'
import navigation from '../../messages/en/navigation.json'
import m from '../../messages/en/start-error.json'
import { Panel } from '../../ui/page/panel'

/** The layouts whose first tab is an overview. */
const OVERVIEWS = ['/t/$slug/applications/$id', '/t/$slug/sso/$id'] as const

/** A URL below an application, a provider, a user or a directory without a page. */
export function NoSuchTab() {
  const matches = useMatches()
  const to = OVERVIEWS.find((path) => matches.some(({ fullPath }) => fullPath === path))
  return (
    <Panel
      title={m.notFoundTitle()}
      about={m.notFoundLead()}
      action={
        to && (
          <Button variant="default" renderRoot={(props) => <Link to={to} params={matches.at(-1)?.params} {...props} />}>
            {navigation.overview()}
          </Button>
        )
      }
    />
  )
}
