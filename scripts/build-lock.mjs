// Runs one build at a time: `npm start`, checks and tests can run concurrently, and each builds stale parts.
import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while this process holds the lock of the repository. It is a kernel lock, which is released when the process ends.
 * @param onWait called if another process holds the lock
 */
export async function withBuildLock(root, work, onWait) {
  // The lock package is a dependency of the server.
  const { tryLock, unlock } = createRequire(join(root, 'server/package.json'))('fs-native-extensions')
  const file = openSync(join(root, '.build-lock'), 'a+')
  try {
    if (!tryLock(file)) {
      onWait()
      while (!tryLock(file)) await sleep(100)
    }
    try {
      return await work()
    } finally {
      unlock(file)
    }
  } finally {
    closeSync(file)
  }
}
