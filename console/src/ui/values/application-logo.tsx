import { useState } from 'react'
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

/** The logo of an application or team beside its name; its first letter without a logo, and until the picture has loaded. */
export function ApplicationLogo({ id, name, logoUrl, size = 40 }: Props) {
  const picture = useLogo(id, logoUrl)
  const [loaded, setLoaded] = useState<string>()
  if (!picture) return <Monogram of={name} size={size} />
  const { src } = picture
  return (
    <>
      {loaded !== src && <Monogram of={name} size={size} />}
      <img
        key={src}
        className={styles.logo}
        alt=""
        width={size}
        height={size}
        hidden={loaded !== src}
        onLoad={() => setLoaded(src)}
        {...picture}
      />
    </>
  )
}
