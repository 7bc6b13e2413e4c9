import { useState } from 'react'
import styles from './application-logo.module.css'
import { Monogram } from './monogram'

interface Props {
  name: string
  logoUrl: string | null | undefined
  size?: number
}

/** The sign of an application beside its name; its first letter where there is no logo or it does not load. */
export function ApplicationLogo({ name, logoUrl, size = 40 }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  // Others are kept out by the content security policy.
  const allowed = /^(https:|data:image\/)/i.test(logoUrl ?? '')
  if (!logoUrl || !allowed || broken === logoUrl) return <Monogram of={name} size={size} />
  return (
    <img
      className={styles.logo}
      src={logoUrl}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setBroken(logoUrl)}
    />
  )
}
