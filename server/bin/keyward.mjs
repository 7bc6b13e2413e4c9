#!/usr/bin/env node
// `npx keyward`: the built service and its commands. In a fresh clone nothing is built yet.
import { existsSync } from 'node:fs'

const main = new URL('../bundle/main.js', import.meta.url)
if (!existsSync(main)) {
  process.stderr.write('Keyward is not built yet: run npm run build (npm start does it by itself)\n')
  process.exit(1)
}
await import(main.href)
