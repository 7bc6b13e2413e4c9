import { useQuery } from '@tanstack/react-query'
import m from '../../messages/en/mails.json'
import { DescriptionList } from '../../ui/page/description-list'
import { LoadError } from '../../ui/page/load-error'
import { RowsLoading } from '../../ui/page/rows-loading'
import { CopyButton } from '../../ui/secrets/copy-button'
import { exactTime } from '../../ui/values/time'
import styles from './mail-content.module.css'
import { mailQuery } from './queries'

/** The content of a mail, in the drawer and on the page. Its HTML part is not shown. */
export function MailContent({ id }: { id: string }) {
  const mail = useQuery(mailQuery(id))
  if (mail.isError)
    return (
      <div className={styles.part}>
        <LoadError error={mail.error} retry={() => mail.refetch()} />
      </div>
    )
  if (!mail.data)
    return (
      <div className={styles.part}>
        <RowsLoading rows={3} height={48} />
      </div>
    )
  const { to, from, createdAt, text } = mail.data
  const links = mail.data.links.filter((link) => /^https?:\/\//.test(link))
  return (
    <>
      <div className={styles.part}>
        <DescriptionList
          items={[
            { name: m.to(), value: to },
            { name: m.from(), value: from },
            { name: m.sent(), value: exactTime(createdAt) },
          ]}
        />
      </div>
      <section className={styles.part} aria-label={m.links()}>
        <h2>{m.links()}</h2>
        {links.length === 0 && <p className={styles.note}>{m.noLinks()}</p>}
        <ul className={styles.links}>
          {links.map((link, index) => (
            <li key={link}>
              <a href={link} target="_blank" rel="noreferrer">
                {link}
              </a>
              <CopyButton label={m.link({ number: index + 1 })} value={link} />
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.part} aria-label={m.text()}>
        <h2>{m.text()}</h2>
        <p className={styles.text}>{text.trim()}</p>
      </section>
      <div className={styles.part}>
        <p className={styles.note}>{m.recorded()}</p>
      </div>
    </>
  )
}
