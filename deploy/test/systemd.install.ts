import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const UNIT = join(import.meta.dirname, '../systemd/keyward.service')

/** A root file system with the program and the units that the unit names. */
const root = mkdtempSync(join(tmpdir(), 'keyward-unit-'))
const place = (path: string, content: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
place('opt/keyward/node_modules/.bin/keyward', '#!/usr/bin/env node\n')
chmodSync(join(root, 'opt/keyward/node_modules/.bin/keyward'), 0o755)
mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
cpSync(UNIT, join(root, 'etc/systemd/system/keyward.service'))
if (existsSync('/lib/systemd/system'))
  cpSync('/lib/systemd/system', join(root, 'lib/systemd/system'), { recursive: true })

afterAll(() => rmSync(root, { recursive: true, force: true }))

const analyze = (...options: string[]) => spawnSync('systemd-analyze', options, { encoding: 'utf8' })

const has = existsSync('/usr/bin/systemd-analyze')
if (!has) process.stdout.write('Skipped: the systemd unit (needs systemd-analyze).\n')

describe.runIf(has)('the systemd unit', () => {
  it('is valid', () => {
    const { status, stderr } = analyze(
      `--root=${root}`,
      '--man=no',
      '--recursive-errors=no',
      'verify',
      'keyward.service',
    )
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  it('gives the service few privileges', () => {
    // From 0 (nothing is exposed) to 10; systemd calls less than 2 "ok". The service needs the network.
    const { status, stdout } = analyze(
      `--root=${root}`,
      '--offline=true',
      '--threshold=20',
      'security',
      'keyward.service',
    )
    expect(stdout).toContain('keyward.service')
    expect(status, stdout).toBe(0)
  })
})
