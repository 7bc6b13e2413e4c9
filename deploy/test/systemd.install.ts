import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { freePort } from '../../server/test/harness/built-server.js'
import { blocksOf, cloneWith } from './installation-page.js'
import { startInstalled } from './installed-service.js'

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

// Mounts of its own replace /etc, /opt and /var/lib; systemd itself runs in no container of CI.
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0
if (!canMount) process.stdout.write('Skipped: the installation of the systemd unit (needs permission to mount).\n')

describe.runIf(canMount)('the commands of docs/guides/install.md', () => {
  it('install the package, settings that only root can read, and the unit, whose program then starts', async () => {
    const [commands = ''] = blocksOf('systemd')
    const clone = cloneWith(inject('packageFile'), join(root, 'clone'))
    const [etc, opt, state, bin] = ['etc', 'opt', 'var-lib', 'bin'].map((name) => join(root, 'replaced', name))
    for (const folder of [etc, opt, state, bin]) mkdirSync(folder as string, { recursive: true })
    const systemctl = join(`${bin}`, 'systemctl')
    const calls = join(root, 'calls')
    writeFileSync(systemctl, `#!/bin/sh\necho "$*" >>'${calls}'\n`, { mode: 0o755 })
    const unit = readFileSync(UNIT, 'utf8')
    const program = /^ExecStart=(.+)$/m.exec(unit)?.[1] ?? ''
    const environment = /^Environment=(.+)$/m.exec(unit)?.[1] ?? ''
    const script = `
      cp -a /etc/. '${etc}'
      rm -f '${etc}/keyward.env'
      mkdir -p '${etc}/systemd/system'
      # Node.js can be installed in another folder of /opt.
      for folder in /opt/*/; do
        if [ ! -d "$folder" ] || [ "$folder" = /opt/keyward/ ]; then continue; fi
        mkdir '${opt}'"\${folder#/opt}"
        mount --bind "$folder" '${opt}'"\${folder#/opt}"
      done
      mount --bind '${etc}' /etc
      mount --rbind '${opt}' /opt
      mount --bind '${state}' /var/lib
      ${commands}
      # As the unit does. EnvironmentFile= overrides Environment=.
      export ${environment}; set -a; . /etc/keyward.env; set +a
      mkdir -m 0700 /var/lib/keyward; cd /var/lib/keyward
      exec ${program}`
    const port = `${await freePort()}`
    const service = await startInstalled(clone, ['unshare', '--mount', 'bash', '-ec', script], {
      PORT: port,
      PATH: `${bin}:${process.env.PATH}`,
    })
    try {
      expect(service.output()).toContain('Open:   https://id.example.com\n')
      expect(service.output()).toContain('-H "x-setup-secret: $SETUP_SECRET"')
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    } finally {
      await service.end('SIGTERM')
    }
    expect(readFileSync(calls, 'utf8')).toBe('daemon-reload\nenable --now keyward\n')
    expect(statSync(join(`${etc}`, 'keyward.env')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(`${etc}`, 'systemd/system/keyward.service'), 'utf8')).toBe(unit)
    expect(existsSync(join(`${state}`, 'keyward/db'))).toBe(true)
  })
})

describe('the command of docs/guides/install.md beside the systemd unit', () => {
  it('has the user, the data folder, the settings and the program of the unit', () => {
    const [, commands = ''] = blocksOf('systemd')
    const line = commands.split('\n').find((one) => one.startsWith('systemd-run ')) ?? ''
    const properties = [...line.matchAll(/ -p (\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
      `${name}`,
      `${quoted ?? plain}`,
    ])
    const unit = readFileSync(UNIT, 'utf8')
    // Without User=, the user has the name of the unit (systemd.exec 5).
    const ofUnit = ([name]: string[]) => [
      name,
      new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? basename(UNIT, '.service'),
    ]
    expect(properties.map(([name]) => name).sort()).toEqual([
      'DynamicUser',
      'Environment',
      'EnvironmentFile',
      'StateDirectory',
      'StateDirectoryMode',
      'UMask',
      'User',
      'WorkingDirectory',
    ])
    expect(properties).toEqual(properties.map(ofUnit))
    expect(line).toContain(` ${/^ExecStart=(.+)$/m.exec(unit)?.[1]} doctor`)
  })
})

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
