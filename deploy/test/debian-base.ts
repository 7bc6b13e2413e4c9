import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Runs buildah without a daemon, a registry and user namespaces. @returns its output */
export function buildah(...options: string[]): string {
  return execFileSync('buildah', options, {
    encoding: 'utf8',
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' },
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt'

/**
 * Makes an image with Debian and this Node.js, in place of one from a public registry.
 * @param folder an empty folder
 */
export function makeBase(folder: string, image: string): void {
  const options = ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder]
  execFileSync('debootstrap', [...options, 'http://deb.debian.org/debian'], { stdio: 'pipe' })
  const node = realpathSync(process.execPath)
  const npm = join(dirname(node), '../lib/node_modules/npm')
  const local = join(folder, 'usr/local')
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true })
  copyFileSync(node, join(local, 'bin/node'))
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name))
  const container = buildah('from', 'scratch')
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates) {
    // The npm registry may be behind a proxy with a certificate authority of its own.
    copyFileSync(certificates, join(folder, CERTIFICATES))
    buildah('config', '--env', `NODE_EXTRA_CA_CERTS=/${CERTIFICATES}`, container)
  }
  buildah('add', '--quiet', container, folder, '/')
  buildah('commit', '--quiet', container, image)
  buildah('rm', container)
}
