import { Badge } from '@mantine/core'
import type { ScimRequest } from '../../../api/contract'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/narrow-table.module.css'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { scimWords as words } from '../../../words'
import { RefusalWords } from './request-error'
import columns from './request-table.module.css'

/** Requests of directories with their answers; a refusal in words. */
export function RequestTable({ requests }: { requests: ScimRequest[] }) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={words.requests}>
        <thead>
          <tr>
            <th scope="col" className={columns.request}>
              {words.request}
            </th>
            <th scope="col">{words.when}</th>
            <th scope="col" className={columns.by}>
              {words.by}
            </th>
            <th scope="col" className={columns.answer}>
              {words.answer}
            </th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <tr key={request.id}>
              <th scope="row">
                {request.method} {request.path}
              </th>
              <td className={columns.when}>
                <RelativeTime at={request.createdAt} />
              </td>
              <td>{request.token?.name}</td>
              <td>
                <div className={stack.tight}>
                  <div>
                    <AnswerBadge status={request.status} />
                  </div>
                  <RefusalWords request={request} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AnswerBadge({ status }: { status: number }) {
  if (status < 400)
    return (
      <Badge color="green" leftSection={<Icon name="done" size={14} />}>
        {words.granted(status)}
      </Badge>
    )
  return (
    <Badge color={status < 500 ? 'yellow' : 'red'} leftSection={<Icon name="alert" size={14} />}>
      {status < 500 ? words.refused(status) : words.failed(status)}
    </Badge>
  )
}
