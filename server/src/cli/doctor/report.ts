import type { Result } from '../command.js'
import { counted, table } from '../text.js'
import { AREAS, type Check } from './check.js'

/** Returns the checks as JSON and as text, by area. The command fails if there is a problem. */
export function report(unsorted: Check[]): Result {
  const checks = [...unsorted].sort((one, other) => AREAS.indexOf(one.area) - AREAS.indexOf(other.area))
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  const [problems, warnings] = [count('problem'), count('warning')]
  const summary = `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}`
  return {
    data: { checks: checks.map(asData), problems, warnings },
    text: `${textOf(checks)}\n\n${summary}\n`,
    failed: problems > 0,
  }
}

const asData = ({ area, name, status, finding, solution }: Check): Check => ({
  area,
  name,
  status,
  finding,
  ...(solution !== undefined && { solution }),
})

/** The solution is in the line below its finding. */
const rowsOf = ({ status, name, finding, solution }: Check): string[][] => [
  [`  ${status}`, name, finding],
  ...(solution === undefined ? [] : [['', '', `Solution: ${solution}`]]),
]

function textOf(checks: Check[]): string {
  const lines = table(checks.flatMap(rowsOf)).split('\n')
  let area: string | undefined
  const blocks = checks.map((check) => {
    const heading = check.area === area ? [] : [...(area === undefined ? [] : ['']), check.area]
    area = check.area
    return [...heading, ...lines.splice(0, rowsOf(check).length)].join('\n')
  })
  return blocks.join('\n')
}
