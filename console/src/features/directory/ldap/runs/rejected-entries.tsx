import { Button } from '@mantine/core'
import type { DirectoryRun } from '../../../../api/contract'
import { download } from '../../../../ui/download'
import { Icon } from '../../../../ui/icons/icon'
import { Panel } from '../../../../ui/panel'
import { ldapRunWords as words } from '../../../../words'
import styles from '../entries.module.css'
import { failuresCsv } from './failures-csv'

/** What a run could not take over, each with its reason, and as a file. */
export function RefusedEntries({ run }: { run: DirectoryRun }) {
  const { failed, failures, createdAt } = run
  if (failed.length === 0) return null
  const name = `refused-entries-${createdAt.slice(0, 10)}.csv`
  return (
    <Panel
      title={words.refused}
      about={words.refusedAbout(failed.length, failures)}
      action={
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => download({ name, text: failuresCsv(failed) })}
        >
          {words.saveCsv}
        </Button>
      }
    >
      <ul className={styles.list}>
        {failed.map(({ dn, email, code, message }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a run that is over does not change, and one entry may be refused twice.
          <li key={place} className={styles.person}>
            <p className={styles.name}>{email ?? dn}</p>
            {email !== null && dn !== null && <p className={styles.dn}>{dn}</p>}
            <p>{words.refusal(code, message)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
