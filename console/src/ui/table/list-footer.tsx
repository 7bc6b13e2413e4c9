import { Button, Select } from '@mantine/core'
import common from '../../messages/en/common.json'
import { Icon, type IconName } from '../icons/icon'
import styles from './data-table.module.css'
import { PAGE_SIZES, type View } from './view'

interface Props {
  total: number
  shown: number
  /** whether the shown rows are those of an earlier view */
  isStale: boolean
  view: View
  change: (view: View) => void
}

/** Below a list: the shown range, the number of rows on a page, and the buttons to other pages. */
export function ListFooter({ total, shown, isStale, view, change }: Props) {
  const first = (view.page - 1) * view.limit
  const pages = Math.max(1, Math.ceil(total / view.limit))
  return (
    <div className={styles.footer} data-list-footer>
      <span data-numeric>
        {isStale ? common.loading() : shown > 0 && common.range({ from: first + 1, to: first + shown, total })}
      </span>
      <div className={styles.sizes}>
        <span aria-hidden="true">{common.rows()}</span>
        <Select
          size="xs"
          w={68}
          aria-label={common.rows()}
          allowDeselect={false}
          data={PAGE_SIZES.map(String)}
          value={String(view.limit)}
          onChange={(limit) => change({ ...view, page: 1, limit: Number(limit) })}
        />
      </div>
      <Step
        label={common.previousPage()}
        icon="left"
        isLast={view.page <= 1}
        act={() => change({ ...view, page: view.page - 1 })}
      />
      <Step
        label={common.nextPage()}
        icon="right"
        isLast={view.page >= pages}
        act={() => change({ ...view, page: view.page + 1 })}
      />
    </div>
  )
}

interface StepProps {
  label: string
  icon: IconName
  /** true without a page in this direction */
  isLast: boolean
  act: () => void
}

/** A button to another page. Not `disabled` on the last one: the button that leads there would lose the focus. */
function Step({ label, icon, isLast, act }: StepProps) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={label}
      aria-disabled={isLast || undefined}
      {...(isLast && { 'data-disabled': true })}
      {...(!isLast && { onClick: act })}
    >
      <Icon name={icon} />
    </Button>
  )
}
