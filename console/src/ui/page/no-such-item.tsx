import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from './page'
import type { Crumb } from './page-header'

interface Props {
  title: string
  lead: string
  /** the list that the item would be in */
  list: Crumb
}

/** Replaces the page of an item that does not exist. */
export function NoSuchItem({ title, lead, list: { to, params, name } }: Props) {
  return (
    <Page title={title} lead={lead}>
      <div>
        <Button renderRoot={(props) => <Link to={to} params={params ?? {}} {...props} />}>{name}</Button>
      </div>
    </Page>
  )
}
