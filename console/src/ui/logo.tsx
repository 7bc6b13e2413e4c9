import { boot } from '../boot'
import { Mark } from './icons/mark'
import styles from './logo.module.css'
import { useLogo } from './use-logo'

interface Props {
  size?: number
  /** The instance, unless a team is named. */
  of?: { id: string; name: string; logoUrl: string | null }
}

/** The logo and name of the instance, or of the team whose application or page it is. */
export function Logo({ size = 32, of: owner = { id: 'instance', ...boot.instance } }: Props) {
  const picture = useLogo(owner.id, owner.logoUrl)
  return (
    <span className={styles.logo}>
      {picture ? <img className={styles.image} alt="" height={size} {...picture} /> : <Mark size={size} />}
      <span className={styles.name}>{owner.name}</span>
    </span>
  )
}
