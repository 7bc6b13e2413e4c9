import styles from './application-logo.module.css'
import { Monogram } from './monogram'
import { useLogo } from './use-logo'

interface Props {
  /** ID of the application or team. */
  id: string
  name: string
  logoUrl: string | null | undefined
  size?: number
}

/** The logo of an application or team beside its name; its first letter without a logo. */
export function ApplicationLogo({ id, name, logoUrl, size = 40 }: Props) {
  const picture = useLogo(id, logoUrl)
  if (!picture) return <Monogram of={name} size={size} />
  return <img key={picture.src} className={styles.logo} alt="" width={size} height={size} {...picture} />
}
