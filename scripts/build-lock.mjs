// One build at a time: `npm start`, checks and tests may run side by side, and each builds what is stale.
import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does the work while this process has the lock of the repository. The lock is the kernel's: it ends with the process, however that ends.
 * @param onWait called when another process has the lock
 */
export async function withBuildLock(root, work, onWait) {
  // The package of the lock is one of the server's.
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
