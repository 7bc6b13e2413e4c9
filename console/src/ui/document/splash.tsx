import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useIsWaiting } from '../../api/use-session'
import common from '../../messages/en/common.json'
import { Mark } from '../icons/mark'
import styles from './splash.module.css'

/** Shown until it is known whether a user is signed in. Reports an unreachable service. */
export function Splash() {
  const waiting = useIsWaiting()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 600)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.splash} data-slow={slow || waiting || undefined}>
      <div className={styles.mark}>
        <Mark size={48} />
      </div>
      <p role="status">{waiting ? common.unreachable() : slow ? common.opening() : ''}</p>
      {waiting && (
        <Button variant="default" onClick={() => location.reload()}>
          {common.tryNow()}
        </Button>
      )}
    </div>
  )
}
