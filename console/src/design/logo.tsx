import { boot } from '../boot'
import { Mark } from './icons/mark'
import styles from './logo.module.css'

interface Props {
  size?: number
  name?: string
  logoUrl?: string | null | undefined
}

/** The sign and name of the instance, or of the team or application that asks. */
export function Logo({ size = 32, name = boot.instance.name, logoUrl = boot.instance.logoUrl }: Props) {
  return (
    <span className={styles.logo}>
      {logoUrl ? (
        <img className={styles.image} src={logoUrl} alt="" height={size} referrerPolicy="no-referrer" />
      ) : (
        <Mark size={size} />
      )}
      <span className={styles.name}>{name}</span>
    </span>
  )
}
