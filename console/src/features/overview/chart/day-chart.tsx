import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useState } from 'react'
import hidden from '../../../ui/document/hidden.module.css'
import styles from './chart.module.css'
import { curve, place, ticks } from './scale'

export interface Series {
  name: string
  tone: 'brand' | 'bad'
  values: readonly number[]
}

interface Props {
  /** what the chart shows, for its text equivalent */
  caption: string
  /** title of the column of days */
  dayTitle: string
  /** name of the time zone of the days, beside the axis */
  zone: string
  /** ISO 8601 dates, one for each value of the series */
  days: readonly string[]
  series: readonly Series[]
}

const HEIGHT = 168
/** Width that a date below the chart needs, in pixels. */
const LABEL_WIDTH = 90

const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })

/** Values by day as curves, with the numbers of a day at the pointer, and as a table for assistive technology. */
export function DayChart({ caption, dayTitle, zone, days, series }: Props) {
  const { ref, width } = useElementSize()
  const [pointed, setPointed] = useState<number>()
  const scale = ticks(Math.max(0, ...series.flatMap(({ values }) => values)))
  const max = scale.at(-1) ?? 1
  const placed = series.map((one) => ({ ...one, points: place(one.values, max, width, HEIGHT) }))
  const last = days.length - 1
  // A shorter period may have been chosen since.
  const index = pointed !== undefined && pointed <= last ? pointed : undefined
  const pointAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left } = currentTarget.getBoundingClientRect()
    setPointed(Math.min(last, Math.max(0, Math.round(((clientX - left) / width) * last))))
  }
  const day = index === undefined ? undefined : days[index]
  const x = index === undefined ? 0 : (placed[0]?.points[index]?.x ?? 0)
  return (
    <figure className={styles.chart}>
      <div className={hidden.hidden}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{dayTitle}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((date, row) => (
              <tr key={date}>
                <th scope="row">{short.format(new Date(date))}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{values[row]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.plot} aria-hidden="true">
        <div ref={ref} className={styles.canvas} onPointerMove={pointAt} onPointerLeave={() => setPointed(undefined)}>
          {scale.map((value) => (
            <span key={value} className={styles.y} style={{ bottom: `${(value / max) * 100}%` }}>
              {value.toLocaleString('en')}
            </span>
          ))}
          <svg width={width} height={HEIGHT} aria-hidden="true">
            {scale.map((value) => (
              <path key={value} className={styles.grid} d={`M0,${HEIGHT - (value / max) * HEIGHT}H${width}`} />
            ))}
            {/* The width is 0 until it is measured. */}
            {width > 0 &&
              placed.map(({ name, tone, points }, order) => (
                <g key={name} data-tone={tone}>
                  {order === 0 && (
                    <path className={styles.area} d={`${curve(points)}L${width},${HEIGHT}L0,${HEIGHT}Z`} />
                  )}
                  <path className={styles.line} d={curve(points)} />
                </g>
              ))}
            {index !== undefined && (
              <>
                <path className={styles.cursor} d={`M${x},0V${HEIGHT}`} />
                {placed.map(({ name, tone, points }) => (
                  <circle
                    key={name}
                    data-tone={tone}
                    className={styles.point}
                    cx={x}
                    cy={points[index]?.y ?? 0}
                    r={3.5}
                  />
                ))}
              </>
            )}
          </svg>
          {index !== undefined && day !== undefined && (
            <div className={styles.tip} data-side={x > width / 2 ? 'left' : 'right'} style={{ left: x }}>
              <p className={styles.tipDay}>{long.format(new Date(day))}</p>
              {series.map(({ name, tone, values }) => (
                <p key={name} className={styles.tipRow}>
                  <span className={styles.key} data-tone={tone} />
                  {name}
                  <b data-numeric>{values[index]?.toLocaleString('en')}</b>
                </p>
              ))}
            </div>
          )}
        </div>
        <div className={styles.x}>
          <span className={styles.zone}>{zone}</span>
          {labeled(last, Math.floor(width / LABEL_WIDTH)).map((at) => (
            <span key={at}>{short.format(new Date(days[at] ?? 0))}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}

/** Returns up to `count` positions from 0 to `last` at about equal distances, both ends included. */
function labeled(last: number, count: number): number[] {
  const intervals = Math.max(1, Math.min(count, 5, last + 1) - 1)
  return [...new Set(Array.from({ length: intervals + 1 }, (_, index) => Math.round((index * last) / intervals)))]
}
