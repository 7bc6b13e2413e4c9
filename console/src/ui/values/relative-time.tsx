import { exactTime, relativeTime } from './time'

/** "3 hours ago", with the exact time as its title. @param at ISO 8601 */
export function RelativeTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at)}
    </time>
  )
}
