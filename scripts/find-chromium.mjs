import { existsSync } from 'node:fs'

/** Returns the path of the Chromium that the browser tests use (`CHROMIUM`, else Debian's), or undefined if there is none. */
export const findChromium = () =>
  [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
    (path) => path && existsSync(path),
  )
