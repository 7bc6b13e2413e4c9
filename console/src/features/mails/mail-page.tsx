import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import m from '../../messages/en/mails.json'
import { Page } from '../../ui/page/page'
import { Panel } from '../../ui/page/panel'
import { MailContent } from './mail-content'
import styles from './mail-content.module.css'
import { isNotAvailable, NotAvailable } from './not-available'
import { mailQuery } from './queries'

const route = getRouteApi('/signed-in/instance/mails/$id')

/** One mail, on a page of its own. */
export function MailPage() {
  const { id } = route.useParams()
  const mail = useQuery(mailQuery(id))
  if (isNotAvailable(mail.error)) return <NotAvailable />
  const title = mail.data?.subject ?? m.mail()
  return (
    <Page title={title} crumbs={[{ to: '/instance/mails', name: m.title() }]}>
      <Panel title={title} hideTitle>
        <div className={styles.page}>
          <MailContent id={id} />
        </div>
      </Panel>
    </Page>
  )
}
