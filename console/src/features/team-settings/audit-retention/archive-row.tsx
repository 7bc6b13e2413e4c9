import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { AuditArchive } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/audit-retention.json'
import { ConfirmByName } from '../../../ui/dialogs/confirm-by-name'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import styles from '../../../ui/page/item-row.module.css'
import { saveFile } from '../../../ui/secrets/download'
import { fileSize } from '../../../ui/values/file-size'
import { RelativeTime } from '../../../ui/values/relative-time'
import { timeRange } from '../../../ui/values/time'
import { useCurrentTeam } from '../../organizations/current-team'
import { archivesQuery, deleteArchive, fileNameOf, readArchive } from './queries'

interface Props {
  archive: AuditArchive
  mayDelete: boolean
  /** runs when the row and its dialog are gone */
  deleted: () => void
}

/** One archive: its time range and size, its download and its deletion. */
export function ArchiveRow({ archive, mayDelete, deleted }: Props) {
  const { team } = useCurrentTeam()
  const { id, from, to, entries, size, firstSeal, lastSeal, createdAt } = archive
  const [asking, setAsking] = useState(false)
  const range = timeRange(from, to)
  const name = fileNameOf(archive)
  const download = useWrite({
    act: async () => saveFile({ name: `${name}.ndjson`, content: await readArchive(team.id, id) }),
    refresh: [],
  })
  const remove = useWrite({
    act: () => deleteArchive(team.id, id),
    refresh: [archivesQuery(team.id).queryKey],
    done: () => m.deleted(),
    showsError: true,
  })
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name="archive" />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{range}</p>
        <p className={styles.detail}>
          <span>{m.entries({ count: entries })}</span>
          <span>{fileSize(size)}</span>
          <span>{m.seals({ count: lastSeal - firstSeal + 1, first: firstSeal, last: lastSeal })}</span>
          <span>
            {m.created()} <RelativeTime at={createdAt} />
          </span>
        </p>
      </div>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Icon name="download" size={14} />}
          loading={download.isPending}
          aria-label={m.downloadLabel({ range })}
          onClick={() => download.mutate()}
        >
          {m.download()}
        </Button>
        {mayDelete && (
          <Button
            variant="default"
            size="compact-md"
            aria-label={m.deleteLabel({ range })}
            onClick={() => setAsking(true)}
          >
            {m.delete()}
          </Button>
        )}
      </Group>
      <ConfirmByName
        opened={asking}
        title={m.deleteTitle({ range })}
        consequences={[m.deleteFinal({ count: entries }), m.deleteChain(), m.deleteRecorded()]}
        name={name}
        verb={m.deleteVerb()}
        act={() => remove.mutateAsync().then(deleted)}
        done={() => setAsking(false)}
        close={() => setAsking(false)}
      >
        <Notice kind="warning">
          <p>{m.deleteFirst()}</p>
          <div>
            <Button
              variant="default"
              size="compact-md"
              leftSection={<Icon name="download" size={14} />}
              loading={download.isPending}
              onClick={() => download.mutate()}
            >
              {m.downloadFile({ name: `${name}.ndjson` })}
            </Button>
          </div>
        </Notice>
      </ConfirmByName>
    </li>
  )
}
