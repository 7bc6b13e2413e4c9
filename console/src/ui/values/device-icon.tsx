import { Icon } from '../icons/icon'

/** A phone or a computer, from the User-Agent. */
export function DeviceIcon({ userAgent }: { userAgent: string | null }) {
  const handheld = /android|iphone|ipad|mobile/i.test(userAgent ?? '')
  return <Icon name={handheld ? 'phone' : 'laptop'} />
}
