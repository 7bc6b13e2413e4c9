import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { isOffline, watchConnectivity, whenBackOnline } from '../../api/connectivity'
import common from '../../messages/en/common.json'
import { Icon } from '../icons/icon'
import styles from './offline-banner.module.css'

/** Shown while the network is down. When it returns, failed reads are retried. */
export function OfflineBanner() {
  const offline = useSyncExternalStore(watchConnectivity, isOffline)
  const client = useQueryClient()
  const wasOffline = useRef(false)
  useEffect(() => {
    const lose = () => void whenBackOnline()
    addEventListener('offline', lose)
    return () => removeEventListener('offline', lose)
  }, [])
  useEffect(() => {
    if (wasOffline.current && !offline)
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
    wasOffline.current = offline
  }, [offline, client])
  return (
    <div role="status" className={styles.place}>
      {offline && (
        <p className={styles.banner}>
          <Icon name="warning" />
          {common.offline()}
        </p>
      )}
    </div>
  )
}
