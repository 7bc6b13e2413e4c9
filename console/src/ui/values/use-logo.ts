import { useEffect, useState } from 'react'
import { serviceAddress } from '../../api/service-address'

/** Milliseconds that the service needs to fetch a new logo from its publisher. */
const FETCH_TIME = 3_000

/**
 * The attributes of a logo's picture, which the service stores; undefined without one. A failed request is repeated once, because the
 * first request of a new logo makes the service fetch it.
 * @param owner ID of a team or application, or `instance`
 */
export function useLogo(owner: string, logoUrl: string | null | undefined) {
  const [failed, setFailed] = useState({ logoUrl, times: 0 })
  const times = failed.logoUrl === logoUrl ? failed.times : 0
  const [retried, setRetried] = useState<string | null>(null)
  useEffect(() => {
    if (times !== 1 || !logoUrl) return
    const timer = setTimeout(() => setRetried(logoUrl), FETCH_TIME)
    return () => clearTimeout(timer)
  }, [times, logoUrl])

  const isShown = times === 0 || (times === 1 && retried === logoUrl)
  if (!logoUrl || !isShown) return undefined
  return {
    src: `${serviceAddress()}/api/v1/public/logos/${owner}`,
    onError: () => setFailed({ logoUrl, times: times + 1 }),
  }
}
