import { exactTime, relativeTime, shortRelativeTime } from './time'

interface Props {
  /** ISO 8601 */
  at: string
  /** "3 hr ago", for a narrow column */
  short?: boolean
}

/** "3 hours ago", with the exact time as its title. */
export function RelativeTime({ at, short }: Props) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {short ? shortRelativeTime(at) : relativeTime(at)}
    </time>
  )
}
