import type { FileReport } from '../../features/audit/chain/offline/index.js'
import { counted, table } from '../text.js'

/** Returns the result for a file. */
export const reportText = (report: FileReport): string => `${report.valid ? validText(report) : invalidText(report)}\n`

function validText(report: FileReport & { valid: true }): string {
  const { chain, seal, entries, base, head, kid, signedAt, keysFrom } = report
  const isProof = 'entry' in report
  // Those in this file: an archive begins where the previous one ends.
  const own = { entries: entries - (base?.entries ?? 0), seals: seal - (base?.seal ?? 0) }
  const rows = [
    ['Chain', chain],
    isProof ? ['Seal', `${seal}`] : ['Entries', `${own.entries}, in ${counted(own.seals, 'seal')}`],
    ...(isProof ? [] : [['Time', `${report.firstAt ?? 'none'} to ${report.lastAt ?? 'none'}`]]),
    ['Hash', head],
    ['Signed', `${signedAt} with the key ${kid}`],
    ['Keys', keysFrom === 'file' ? 'of --keys' : 'of the file itself, not compared with keys from elsewhere'],
  ]
  const hint =
    keysFrom === 'file'
      ? ''
      : '\nAnyone can create a file with keys of their own. Verify it with --keys before you trust it.'
  const entry = isProof ? `\n${JSON.stringify(report.entry, null, 2)}` : ''
  return `Valid.\n${table(rows)}${hint}${entry}`
}

function invalidText({ firstBroken }: FileReport & { valid: false }): string {
  const { reason, message, line, seal, id } = firstBroken
  const place = [
    line === undefined ? [] : [`line ${line}`],
    seal === undefined ? [] : [`seal ${seal}`],
    id === undefined ? [] : [`entry ${id}`],
  ].flat()
  return `Not valid: ${reason}${place.length > 0 ? ` (${place.join(', ')})` : ''}\n${message}`
}
