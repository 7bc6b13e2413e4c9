import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import m from '../../messages/en/mails.json'
import { Icon } from '../../ui/icons/icon'
import { DetailDrawer } from '../../ui/page/detail-drawer'
import { ListPage } from '../../ui/page/list-page'
import type { Column } from '../../ui/table/column'
import { DataTable } from '../../ui/table/data-table'
import { useListView } from '../../ui/table/use-list-view'
import { RelativeTime } from '../../ui/values/relative-time'
import { MailContent } from './mail-content'
import { isNotAvailable, NotAvailable } from './not-available'
import { type ListedMail, mailsQuery } from './queries'

const COLUMNS: Column<ListedMail>[] = [
  { id: 'to', header: m.to(), cell: ({ to }) => to },
  { id: 'subject', header: m.subject(), width: 320, cell: ({ subject }) => subject },
  { id: 'sent', header: m.sent(), width: 130, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

const NO_FILTERS: string[] = []

/** The mails that an instance without a mail server stores as files. */
export function MailsPage() {
  const { view, change, openRow } = useListView(NO_FILTERS)
  const mails = useQuery(mailsQuery(view))
  if (isNotAvailable(mails.error)) return <NotAvailable />
  const rows = mails.data?.data
  const total = mails.data?.total ?? 0
  const opened = openRow(rows, total)
  return (
    <ListPage
      title={m.title()}
      count={mails.data?.total}
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="refresh" />}
          loading={mails.isFetching}
          onClick={() => mails.refetch()}
        >
          {m.refresh()}
        </Button>
      }
      drawer={
        opened && (
          <DetailDrawer
            {...opened.place}
            label={opened.row.subject}
            title={opened.row.subject}
            subtitle={opened.row.to}
            actions={
              <ActionIcon
                renderRoot={(props) => <Link to="/instance/mails/$id" params={{ id: opened.row.id }} {...props} />}
                variant="subtle"
                color="gray"
                aria-label={m.openPage()}
                title={m.openPage()}
              >
                <Icon name="expand" />
              </ActionIcon>
            }
          >
            <MailContent id={opened.row.id} />
          </DetailDrawer>
        )
      }
    >
      <DataTable
        label={m.title()}
        columns={opened ? COLUMNS.filter(({ id }) => id !== 'sent') : COLUMNS}
        rows={rows}
        isStale={mails.isPlaceholderData}
        total={total}
        idOf={({ id }) => id}
        nameOf={({ subject }) => subject}
        linkOf={({ id }) => ({ to: '/instance/mails/$id', params: { id } })}
        detailOf={({ subject }) => subject}
        view={view}
        change={change}
        current={opened?.row.id}
        open={({ id }) => change(view, id)}
        error={mails.error}
        retry={() => mails.refetch()}
        empty={<p>{m.empty()}</p>}
      />
    </ListPage>
  )
}
