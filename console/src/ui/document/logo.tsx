import { useState } from 'react'
import { boot } from '../../boot'
import { Mark } from '../icons/mark'
import { Monogram } from '../values/monogram'
import { useLogo } from '../values/use-logo'
import styles from './logo.module.css'

interface Props {
  size?: number
  /** The instance, unless a team is named. */
  of?: { id: string; name: string; logoUrl: string | null }
}

/** A picture this many times as wide as high contains the name. */
const WORDMARK_RATIO = 2

/**
 * The logo and name of the instance, or of the team whose application or page it is. The name of a team is always shown, because a team
 * chooses its picture.
 */
export function Logo({ size = 32, of: team }: Props) {
  const owner = team ?? { id: 'instance', ...boot.instance }
  const picture = useLogo(owner.id, owner.logoUrl)
  const [isWordmark, setIsWordmark] = useState(false)
  const measure = (image: HTMLImageElement | null) => {
    if (!team && image?.naturalWidth) setIsWordmark(image.naturalWidth > image.naturalHeight * WORDMARK_RATIO)
  }
  if (!picture)
    return (
      <span className={styles.logo}>
        {team ? <Monogram of={team.name} size={size} brand /> : <Mark size={size} />}
        <span className={styles.name}>{owner.name}</span>
      </span>
    )
  return (
    <span className={styles.logo}>
      <img
        ref={measure}
        className={styles.image}
        alt={isWordmark ? owner.name : ''}
        height={size}
        onLoad={(event) => measure(event.currentTarget)}
        {...picture}
      />
      {!isWordmark && <span className={styles.name}>{owner.name}</span>}
    </span>
  )
}
