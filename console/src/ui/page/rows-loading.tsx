import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import common from '../../messages/en/common.json'
import hidden from '../document/hidden.module.css'
import stack from '../layout/stack.module.css'

/** Placeholder rows of the final height; hidden at first, because most lists load quickly. */
export function RowsLoading({ rows, height = 56 }: { rows: number; height?: number }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={stack.tight} aria-busy="true">
      <span className={hidden.hidden}>{common.loading()}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other identity.
        <Skeleton key={row} height={height} radius="md" visible={late} />
      ))}
    </div>
  )
}
