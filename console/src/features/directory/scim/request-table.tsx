import type { ScimRequest } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import stack from '../../../ui/layout/stack.module.css'
import styles from '../../../ui/page/narrow-table.module.css'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { RequestError } from './request-error'
import columns from './request-table.module.css'

/** Requests of directories with their results; errors are explained. */
export function RequestTable({ requests }: { requests: ScimRequest[] }) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={m.requests()}>
        <thead>
          <tr>
            <th scope="col" className={columns.request}>
              {m.request()}
            </th>
            <th scope="col">{m.time()}</th>
            <th scope="col" className={columns.token}>
              {m.token()}
            </th>
            <th scope="col" className={columns.result}>
              {m.result()}
            </th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <tr key={request.id}>
              <th scope="row">
                {request.method} {request.path}
              </th>
              <td className={columns.time}>
                <RelativeTime at={request.createdAt} />
              </td>
              <td>{request.token?.name}</td>
              <td>
                <div className={stack.tight}>
                  <div>
                    <ResultBadge status={request.status} />
                  </div>
                  <RequestError request={request} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ResultBadge({ status }: { status: number }) {
  if (status < 400) return <StatusBadge tone="ok">{m.succeeded({ status })}</StatusBadge>
  if (status < 500) return <StatusBadge tone="warn">{m.rejectedStatus({ status })}</StatusBadge>
  return <StatusBadge tone="bad">{m.failedStatus({ status })}</StatusBadge>
}
