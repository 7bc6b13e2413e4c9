import styles from './chart.module.css'
import { curve, place } from './scale'

const WIDTH = 76
const HEIGHT = 26

/** The course of a value beside it. Decoration: the chart below has the numbers. */
export function Sparkline({ values, tone }: { values: readonly number[]; tone: 'brand' | 'bad' }) {
  const line = curve(place(values, Math.max(...values, 1), WIDTH, HEIGHT))
  return (
    <svg className={styles.spark} data-tone={tone} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path className={styles.area} d={`${line}L${WIDTH},${HEIGHT}L0,${HEIGHT}Z`} />
      <path className={styles.line} d={line} />
    </svg>
  )
}
