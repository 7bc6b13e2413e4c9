import { Button } from '@mantine/core'
import type { DirectoryRun } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import { Icon } from '../../../../ui/icons/icon'
import { Panel } from '../../../../ui/page/panel'
import { download } from '../../../../ui/secrets/download'
import styles from '../entries.module.css'
import { failuresCsv } from './failures-csv'
import { rejectionOf } from './rejection-of'

/** The entries that a run rejected, with their causes and as a file. */
export function RejectedEntries({ run }: { run: DirectoryRun }) {
  const { failed, failures, createdAt } = run
  if (failed.length === 0) return null
  const name = `rejected-entries-${createdAt.slice(0, 10)}.csv`
  return (
    <Panel
      title={m.rejected()}
      about={failed.length < failures ? m.rejectedFirst({ shown: failed.length, total: failures }) : m.rejectedHelp()}
      action={
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          onClick={() => download({ name, text: failuresCsv(failed) })}
        >
          {m.saveCsv()}
        </Button>
      }
    >
      <ul className={styles.list}>
        {failed.map(({ dn, email, code, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a finished run does not change, and may contain an entry twice.
          <li key={index} className={styles.entry}>
            <p className={styles.name}>{email ?? dn}</p>
            {email !== null && dn !== null && <p className={styles.dn}>{dn}</p>}
            <p>{rejectionOf({ code, message })}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
