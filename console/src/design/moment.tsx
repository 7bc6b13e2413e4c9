import { exactTime, relativeTime } from '../words'

/** "3 hours ago", with the exact time for whoever points at it. @param at ISO 8601 */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at)}
    </time>
  )
}
